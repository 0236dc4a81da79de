/* What: a translator of exactly the type comes first, then one of the type that a typedef names, then one that the type could be passed to; the later of equals. */
typedef struct out { int a; } out_t;
typedef struct both { int a; } both_t;
typedef int number_t;
translator out_t < int *x > { a = 1; };
translator out_t < long *x > { a = 2; };
translator out_t < void *x > { a = 3; };
translator out_t < char x > { a = 4; };
translator out_t < string x > { a = 5; };
translator out_t < unsigned long x > { a = 6; };
translator out_t < out_t *x > { a = 7; };
translator both_t < number_t *x > { a = 8; };
translator both_t < int *x > { a = 9; };
translator out_t < pid_t x > { a = 10; };
translator out_t < int x > { a = 11; };
struct { pid_t id; int number; } s; pid_t ids[2];
int *p; number_t *q;
BEGIN
{
	printf("%d %d %d\n", xlate <out_t>((int *)0).a, xlate <out_t>((long *)0).a, xlate <out_t>((out_t *)0).a);
	printf("%d %d %d\n", xlate <out_t>((char)1).a, xlate <out_t>("s").a, xlate <out_t>((unsigned long)1).a);
	printf("%d %d %d %d\n", xlate <out_t>((short *)0).a, xlate <out_t>(1).a, xlate <out_t>(pid).a, xlate <out_t>(execname).a);
	printf("%d %d\n", xlate <both_t>(p).a, xlate <both_t>(q).a);
	printf("%d %d %d %d %d\n", xlate <out_t>(pid).a, xlate <out_t>(s.id).a, xlate <out_t>(s.number).a, xlate <out_t>(ids[1]).a, xlate <out_t>((pid_t)1).a);
	printf("%d %d %d\n", xlate <out_t>(curthread->pid).a, xlate <out_t>(pid + 1).a, xlate <out_t>(3).a);
	exit(0);
}
