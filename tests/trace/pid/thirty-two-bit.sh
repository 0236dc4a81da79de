# What: a 32-bit program cannot have pid probes: the message names its file and says so.  Needs: uprobe x86_64.
. "$LIB"
printf '.globl _start\n_start: mov $29,%%eax\n int $0x80\n jmp _start\n' >pause.s
gcc -m32 -nostdlib -static -o pause pause.s 2>/dev/null || skip "gcc makes no 32-bit programs here"
./pause &
pause=$!
trap 'kill $pause' EXIT
grep -q 'pause$' "/proc/$pause/maps" || until_true 5 grep -q 'pause$' "/proc/$pause/maps" || skip "no 32-bit programs here"
for description in "pid$pause:a.out:_start:entry" "pid$pause::_start:entry" "pid$pause:::entry"; do
	trace -n "$description"
	same "$status" 1 "$description"
	contains "$PWD/pause: not a 64-bit little-endian ELF file" err
done
