# What: functions of a stripped program, from two sources: its separate debug file, and the compressed
# symbols in .gnu_debugdata. They have probes and names. Needs: cc x86_64.  Executors: kernel process.
. "$LIB"
for tool in objcopy strip xz; do
	command -v $tool >/dev/null || skip "no $tool"
done
cat >whole.c <<'C'
static __attribute__((noinline, noclone)) int inner(int n) { asm volatile("" : "+r"(n)); return n + 1; }
int main(void) { int n = 0; for (int i = 0; i < 7; i++) n = inner(n); return n - 7; }
C
cc -O2 -g -o whole whole.c || fail "cannot compile"

objcopy --only-keep-debug whole linked.debug
strip -o linked whole && objcopy --add-gnu-debuglink=linked.debug linked
objcopy --only-keep-debug whole small && strip -g small && xz -f small
strip -o kept whole && objcopy --add-section .gnu_debugdata=small.xz kept
strip -o bare whole

for program in linked kept; do
	must_trace -n 'pid$target:a.out:inner:entry { @[ufunc(uregs[R_RIP])] = count(); } END { printa("%A %@d\n", @); }' \
		-c "./$program"
	same "$(grep . out)" "$program\`inner 7" "the functions of $program"
done
trace -n 'pid$target:a.out:inner:entry { @ = count(); }' -c ./bare
same "$status" 1 "status of a program without names"
contains stripped err
