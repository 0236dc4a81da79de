int x;
self string s, t[int];
this struct foo *f;
int a[int, string], b[3][4];
typedef unsigned long long counter_type;
counter_type z;
struct point {
	int x, y;
	unsigned int flag : 3, : 5;
	union { char c; struct point *next; };
	enum kind { ONE, TWO = 2 + 1, THREE, } kind;
} origin;
extern int (*handlers[3])(const char *, ...);
uint32_t *u;
uint32_t*v;
inline int limit = 10 * 2;
inline string name[int n, size_t m] = n == 1 ? "one" : "many";
translator psinfo_t < struct task_struct *T > {
	pr_pid = T->tgid;
	string = stringof(T->comm);
};
provider myapp {
	probe start(int, char *);
	probe done__now(int a, string b) : (string b);
	probe none();
};
const char *const *volatile q;
extern vmlinux`struct task_struct *t;
struct vmlinux`task_struct *t2;
