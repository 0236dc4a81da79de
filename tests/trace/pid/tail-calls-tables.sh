# What: a jump to a computed address is a return where it leaves the function, and none where it leads to a label of it. Needs: uprobe cc.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
cat >tables.c <<'C'
#include <stdio.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
static FILE *said; /* what callers get is what dtrace must print */
static int say(const char *name, int result) { fprintf(said, "%s %d\n", name, result); return result; }

int F f_five(int x) { HIDE(x); return x * 5; }
int F f_two(int x) { HIDE(x); return x * 2; }

/* Tables whose first word is not a function. */
static int (*const from_one[])(int) = { 0, f_five, f_two, f_five };
int F f_from_one(long n, int x) { HIDE(x); return from_one[n](x); }
int F f_biased(long n, int x) { HIDE(x); return from_one[n + 1](x); }

/* A switch, and after it the table of a tail call. */
#define CASES C(0) C(1) C(2) C(3) C(4) C(5) C(6) C(7)
#define C(n) case n: x = x * (n + 3) ^ n; HIDE(x); break;
int F f_switch(int n, int x) { switch (n) { CASES default: x = -1; } return x + 1; }
int F f_switch_and_table(int n, int x) { switch (n) { CASES default: x = -1; } return from_one[(n & 1) + 1](x + 1); }

/* goto *label */
#define LABELS static const void *const labels[] = { &&add, &&mul, &&neg, &&end };
int F f_goto(const unsigned char *p, int x)
{
	LABELS
	goto *labels[*p++];
add:
	x += 3;
	HIDE(x);
	goto *labels[*p++];
mul:
	x *= 5;
	HIDE(x);
	goto *labels[*p++];
neg:
	x = -x;
	HIDE(x);
	goto *labels[*p++];
end:
	return f_two(x);
}
/* A part of it is elsewhere, where only the switch leads to. */
void __attribute__((cold, noinline)) rare(int x) { HIDE(x); }
int F f_parts(int n, int x)
{
	switch (n) {
	case 0: x *= 3; HIDE(x); break;
	case 1: x ^= 5; HIDE(x); break;
	case 2: rare(x); return x + 9;
	case 3: x += 77; HIDE(x); break;
	case 4: rare(x + 1); return x - 9;
	case 5: x *= 11; HIDE(x); break;
	default: __builtin_unreachable();
	}
	return x + 1;
}
/* labels that the program has stored elsewhere */
static const void *stored[4];
int F f_goto_stored(const unsigned char *p, int x)
{
	if (!p) {
		stored[0] = &&add;
		stored[1] = &&end;
		return 0;
	}
	goto *stored[*p];
add:
	x += 7;
	HIDE(x);
	p++;
	goto *stored[*p];
end:
	return x;
}

/* An interpreter whose operations end by a jump to the next one, which may be the same. */
typedef int operation(const unsigned char *p, int x);
operation f_op_add, f_op_neg, f_op_end;
static operation *const operations[] = { f_op_add, f_op_neg, f_op_end };
int F f_op_add(const unsigned char *p, int x) { return operations[*p](p + 1, x + 1); }
int F f_op_neg(const unsigned char *p, int x) { return operations[*p](p + 1, -x); }
int F f_op_end(const unsigned char *p, int x) { HIDE(x); return x; }

#ifdef __x86_64__
/* Distances: of functions, and of labels with a prefix and without the usual sequence. */
int f_distances(long n, int x);
int f_apart(long n, int x);
int f_marked(long n, int x);
int f_addresses(long n, int x);
#define BEGIN(name) ".globl " name "\n.type " name ", @function\n" name ":\n"
#define END(name) ".size " name ", . - " name "\n"
#define OUT(n) n "1: lea 1(%rsi), %eax; ret\n" n "2: lea 2(%rsi), %eax; ret\n" n "3: lea 3(%rsi), %eax; ret\n" n "4: lea 4(%rsi), %eax; ret\n"
#define TABLE(n, bits, end) ".section .data.rel.ro, \"aw\"\n.balign 8\n" n "0: " bits " " n "1" end ", " n "2" end ", " n "3" end ", " n "4" end "\n.text\n"
__asm__(BEGIN("f_distances") "lea .Ld0(%rip), %rdx; movslq (%rdx,%rdi,4), %rax; mov %esi, %edi; add %rdx, %rax; jmp *%rax\n" END("f_distances")
	".section .rodata\n.balign 4\n.Ld0: .long f_five - .Ld0, f_two - .Ld0\n.text\n"
	BEGIN("f_apart") "lea .La0(%rip), %rdx; movslq (%rdx,%rdi,4), %rax; add %rdx, %rax; nop; jmp *%rax\n" OUT(".La") END("f_apart") TABLE(".La", ".long", " - .La0")
	BEGIN("f_marked") "lea .Lm0(%rip), %rdx; mov (%rdx,%rdi,8), %rax; notrack jmp *%rax\n" OUT(".Lm") END("f_marked") TABLE(".Lm", ".quad", "")
	BEGIN("f_addresses") "lea .Lw0(%rip), %rdx; jmp *(%rdx,%rdi,8)\n" OUT(".Lw") END("f_addresses") TABLE(".Lw", ".quad", ""));
#endif

static volatile int sum; /* The first read of memory that is not there yet would fail. */
int main(int argc, char **argv)
{
	said = fopen(argv[1], "w");
	for (int i = 0; i < 4; i++)
		sum += from_one[i] != 0;
	f_goto_stored(0, 0);
	for (int i = 0; i < 9; i++) {
		say("f_from_one", f_from_one(i % 3 + 1, i));
		say("f_biased", f_biased(i % 3, i));
		say("f_switch", f_switch(i, i + 1));
		say("f_switch_and_table", f_switch_and_table(i, i + 1));
		say("f_goto", f_goto((const unsigned char[]) { 0, 1, 2, 0, (unsigned char)(i % 4), 3 }, i));
		say("f_parts", f_parts(i % 6, i));
		say("f_goto_stored", f_goto_stored((const unsigned char[]) { 0, 0, 1 }, i));
		int result = f_op_add((const unsigned char[]) { 0, 0, 1, 1, 0, 2 }, i);
		for (int n = 0; n < 4; n++)
			say("f_op_add", result);
		say("f_op_neg", result);
		say("f_op_neg", result);
#ifdef __x86_64__
		say("f_distances", f_distances(i & 1, i));
		say("f_apart", f_apart(i & 3, i));
		say("f_marked", f_marked(i & 3, i));
		say("f_addresses", f_addresses(i & 3, i));
#endif
	}
	return fclose(said);
}
C
gcc -O2 -rdynamic -o pie tables.c && strip -o stripped pie && gcc -O2 -no-pie -fno-pie -o fixed tables.c && gcc -O2 -static -o static tables.c || fail "cannot compile"
if [ "$(uname -m)" = x86_64 ]; then
	objdump -d fixed >code
	[ "$(grep -c 'jmp  *\*0x[0-9a-f]*(,%r' code)" -ge 4 ] || fail "no jumps by a table"
	nm fixed >names
	contains 'f_parts.cold' names
fi
# The operations return to each other's jumps, so some of their results are unknown: they are counted.
for file in pie stripped fixed static; do
	trace -x pidret=insn -x bufsize=16m -c "./$file said" -n 'pid$target:a.out:f_*:return /probefunc != "f_five" && probefunc != "f_two" && probefunc != "f_op_end"/ { @[probefunc] = count(); }
		pid$target:a.out:f_*:return /probefunc != "f_five" && probefunc != "f_two" && strstr(probefunc, "f_op") == NULL/ { printf("%s %d\n", probefunc, (int)arg1); }
		END { printa("times %s %@d\n", @); }'
	grep '^f_' out | sort >got
	{ grep -v f_op said; echo "f_goto_stored 0"; } | sort >wanted
	cmp -s wanted got || fail "$file: $(diff wanted got | head -n 20)"
	same "$(grep '^times f_op' out | sort)" "times f_op_add 36
times f_op_neg 18" "$file: operations"
done
