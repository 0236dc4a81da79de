# What: the return of a function whose symbol has no size, and that no unwind table describes: the message says so.
# Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v cc >/dev/null || skip "no C compiler"
cat >o.c <<'C'
asm(".text\n.globl endless\n.type endless, @function\nendless:\n\tret\n");
void endless(void);
int main(void) { endless(); return 0; }
C
cc -o o o.c || fail "cannot compile"
trace -n 'pid$target:a.out:endless:return' -c ./o
same "$status" 1 status
contains "failed to create return probe for 'endless': the file does not say where its code ends: its symbol has no size" err
must_trace -n 'pid$target:a.out:endless:entry { printf("entered"); }' -c ./o
same "$(cat out)" entered entry
