/* a comment */
typedef struct item { int number; /* of it */ const char *name; } item_t;
typedef struct unused { int x; } unused_t;
typedef unsigned short port_t, *port_list_t;
provider app {
	probe none();
	probe nothing(void);
	probe query__start(const char *text, int);
	probe widths(char, unsigned char, short, port_t, unsigned, long, uint64_t, bool, float, double);
	probe others(long double, LocalType, struct elsewhere *, port_list_t, int [4], void (*)(int), enum color, string);
	probe mapped(item_t *item, int string) : (int string, item_t *item);
	probe a__b__c(int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10, int a11, int a12);
}
#pragma D attributes Evolving/Stable/ISA provider app args
