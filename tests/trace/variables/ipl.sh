# What: ipl is 0 in system calls and functions; a timer sees 1 where it interrupts a softirq.  Needs: python3 uprobe.
# Executors: kernel (its probes are of system calls).
. "$LIB"
must_trace -n 'syscall:::entry, syscall:::return, pid$target::spin_inner:entry { @[ipl] = count(); }' -c "$TRIGGERS/spin 20"
same "$(awk 'NF { print $1 }' out)" 0 "levels"
cat >load.py <<'PY'
import socket, time
a, b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
b.bind(('127.0.0.1', 0))
end = time.time() + 1
while time.time() < end:
    a.sendto(b'x' * 60000, b.getsockname())
PY
must_trace -n 'profile-4999 /ipl == 1/ { @in[stack(100)] = count(); @n = count(); } END { printa("seen %@d\n", @n); printa("%k%@d times\n\n", @in); }' \
	-c 'python3 load.py'
contains '^seen [1-9]'
# The kernel cannot walk every stack to its end.
awk -v RS= '/times/ { n = $(NF - 1); if (/softirq|irq_exit|ksoftirqd/) good += n; else bad += n } END { exit good < 9 * bad }' out ||
	fail "stacks without a softirq"
