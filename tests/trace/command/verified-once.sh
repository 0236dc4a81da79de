# What: the kernel's verifier follows a program of system calls once, not once for each ABI.
# Needs: btf.
. "$LIB"
i=0
while [ $i -lt 40 ]; do
	echo "syscall::write:entry /pid == \$target && arg0 == $i/ { x$i = arg2; }"
	i=$((i + 1))
done >script.d
trace -S -e -s script.d
length=$(sed -n 's/^Disassembly of syscall-entry, \([0-9]*\) instructions:/\1/p' out err)
[ "$length" -gt 800 ] || fail "no disassembly: '$length'"
trace -x bpflog -c true -s script.d
same "$status" 0 status
followed=$(grep -ao 'processed [0-9]*' err | awk '$2 > n { n = $2 } END { print n + 0 }')
# Each predicate has a way for either ABI (2 of some 25 instructions); all others are met once.
[ "$followed" -gt 800 ] && [ "$followed" -lt $((length * 3 / 2)) ] ||
	fail "$followed instructions were followed, the program has $length"
