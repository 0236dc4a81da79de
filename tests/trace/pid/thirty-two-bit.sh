# What: a 32-bit program cannot have pid probes, nor be held later than at exec: messages name its file and say so.  Needs: uprobe x86_64.
. "$LIB"
printf '.globl _start\n_start: mov $29,%%eax\n int $0x80\n jmp _start\n' >pause.s
gcc -m32 -nostdlib -static -o pause pause.s 2>/dev/null || skip "gcc makes no 32-bit programs here"
./pause &
pause=$!
trap 'kill $pause' EXIT
grep -q 'pause$' "/proc/$pause/maps" || until_true 5 grep -q 'pause$' "/proc/$pause/maps" || skip "no 32-bit programs here"
for evaltime in preinit postinit main; do
	trace -x evaltime=$evaltime -n 'BEGIN { exit(0); }' -c ./pause
	same "$status" 1 "$evaltime"
	contains "failed to execute ./pause: a 32-bit program can only be held at exec (evaltime=exec)" err
done
trace -x evaltime=exec -n 'BEGIN { exit(0); }' -c ./pause
same "$status" 0 "exec"
trace -n 'BEGIN { exit(0); }' -c ./pause # where it can be
same "$status" 0 "the usual"
for description in "pid$pause:a.out:_start:entry" "pid$pause::_start:entry" "pid$pause:::entry"; do
	trace -n "$description"
	same "$status" 1 "$description"
	contains "$PWD/pause: 32-bit programs are not supported" err
done
