# What: the mallocs of all compilers that make -j2 starts are counted: as many as of each one alone.  Needs: uprobe uprobe_multi cc unshare x86_64.
. "$LIB"
export CCACHE_DISABLE=1 # its compilers do not run when it has the answer
command -v make >/dev/null || skip "make is not installed"
# In a mount namespace with a C library and a linker of its own: probes in them stop nobody else.
libc=$(ldd /bin/sh | sed -n 's,.*=> \(/[^ ]*libc\.so\.6\).*,\1,p')
linker=$(ldd /bin/sh | sed -n 's,^[[:space:]]*\(/[^ ]*ld-linux[^ ]*\).*,\1,p')
mkdir own && cp -L "$libc" own/libc.so.6 && cp -L "$linker" own/ld.so || fail "cannot copy the C library"
for i in 1 2 3 4; do
	{
		echo '#include <stdio.h>'
		for k in $(seq $((i * 5))); do echo "int f${i}_$k(int x) { return putchar(x * $k); }"; done
	} >"part$i.c"
done
printf 'all: part1.o part2.o part3.o part4.o\n%%.o: %%.c\n\tgcc -O1 -c -o $@ $<\n' >Makefile

follow=all
# trace_once COMMAND - counts of its compilers proper into ./out
trace_once() {
	unshare -m sh -c "mount --make-rprivate / && mount --bind own/libc.so.6 \$(realpath '$libc') &&
		mount --bind own/ld.so \$(realpath '$linker') && exec \"\$@\"" sh \
		"$DTRACE" -q -x follow=$follow -n 'pid$target:libc.so.6:malloc:entry /execname == "cc1"/ { @n = count(); @seen[pid] = count(); }
		END { printa("n %@u\n", @n); printa("process %@u\n", @seen); }' -c "$1" >out 2>err || fail "status $?"
}

# mallocs COMMAND - their number into $n, that of the compilers into $compilers.  On a busy machine a process may
# not wait long enough for its probes: that is reported, and tried again.
mallocs() {
	for try in 1 2 3 4 5; do
		trace_once "$1"
		grep -q 'could not wait for probes' err || break
	done
	[ -s err ] && fail "something on standard error"
	n=$(value_of n) compilers=$(grep -c ^process out)
}
sum=0
for i in 1 2 3 4; do
	mallocs "gcc -O1 -c -o alone.o part$i.c"
	same "$compilers" 1 "compilers"
	sum=$((sum + n))
done
[ "$sum" -gt 1000 ] || fail "only $sum mallocs"
mallocs 'make -s -j2'
same "$n $compilers" "$sum 4" "mallocs of make, and compilers"

# So are they by each other way to follow them.
follow=tree
rm -f part*.o
mallocs 'make -s -j2'
same "$n $compilers" "$sum 4" "mallocs of make, and compilers, with follow=tree"
grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || exit 0
follow=private
rm -f part*.o
mallocs 'make -s -j2'
same "$n $compilers" "$sum 4" "mallocs of make, and compilers, with follow=private"
