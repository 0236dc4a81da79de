# What: a probe that the process may create later is not waited for without a word.  Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >program.c <<'C'
int main(void) { volatile int n = 1; return n - 1; }
C
cc -O1 -o program program.c || fail 'the program'
trace -x executor=process -Zn 'made$target:::one { @ = count(); } pid$target:a.out:main:entry { @m = count(); }' -c ./program
contains '^dtrace: made[0-9]*:::one matches nothing yet: .*-x executor=kernel can trace them' err
# Not of libraries' functions, which it may load later.
trace -x executor=process -Zn 'pid$target:libx.so:f:entry { @ = count(); } pid$target:a.out:main:entry { @m = count(); }' -c ./program
grep 'matches nothing yet' err && fail 'of a library'
exit 0
