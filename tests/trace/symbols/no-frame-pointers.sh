# What: walked by frame pointers, a user stack ends at a word that is not a return address: marked, merged, counted.  Needs: x86_64.
. "$LIB"
cat >frames.c <<'C'
#include <sys/mman.h>
struct frame { struct frame *next; void *to; };
__attribute__((noinline)) void called(void) { __asm__ volatile(""); }
extern char after_call[], in_middle[];
char data[] = "data";
__asm__(".globl after_call, in_middle\n.section .text\nplace: push %rax\n call called\nafter_call: nop\nin_middle: nop\n nop\n nop\n ret");
/* getppid() with a chain of frame pointers as code without them leaves it */
__attribute__((noinline)) void with_chain(struct frame *first)
{
	long number = 110;
	__asm__ volatile("push %%rbp; mov %1, %%rbp; syscall; pop %%rbp" : "+a"(number) : "r"(first) : "rcx", "r11", "memory");
}
static void with(void *to)
{
	struct frame last = { 0, after_call }, middle = { &last, to }, first = { &middle, after_call };
	with_chain(&first);
}
int main(void)
{
	char *code = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	with(after_call); /* whole */
	with(code + 8);	  /* nobody can tell */
	for (int i = 0; i < 4; i++)
		with(in_middle + i); /* no call before it */
	with(&code);
	with(data); /* of the program itself */
	with((void *)5);
	with((void *)0x123456789abcdef0);
	return 0;
}
C
gcc -O1 -mno-red-zone -o frames frames.c || fail "cannot compile"
trace -x ustack=fp -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./frames
same "$status" 0 "status"
same "$(grep -c 'place+0x6' out)" 13 "frames that are"
same "$(grep -c 'in_middle\|after_call\|data' out)" 0 "frames that are none"
same "$(grep -c '^ *\.\.\.$' out)" 8 "marks"
same "$(cat err)" "dtrace: 8 user stacks shown without all callers (...): code without frame pointers" "what is said"
trace -x ustack=fp -n 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./frames
same "$(awk 'NF == 1 && $1 + 0 > 0 && $1 !~ /x/ { print $1 }' out | tr '\n' ' ')" "1 1 8 " "stacks that differ"
trace -x ustack=fp -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./frames
same "$(grep -o '"truncated":true' out | wc -l)" 1 "JSON"
check_json
