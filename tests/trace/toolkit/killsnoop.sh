# What: killsnoop shows each signal that a process sends to its children: name, target, error.  Needs: btf.
. "$LIB"
tool killsnoop -c "$TRIGGERS/deeds kill 5"
same "$(awk '$4 == "deeds" && $5 == "SIGTERM" && $6 > $3 && $7 == "-"' out | wc -l)" 5 "signals"
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 5 "lines"
contains '^deeds  *SIGTERM  *5$'
tool killsnoop -c "sh -c 'kill -0 999999999 2>/dev/null; kill -USR1 \$\$ ; true'"
contains ' sh  *0  *999999999 ESRCH$'
contains ' sh  *SIGUSR1 '
# A process by its descriptor; not all versions of Python have the calls.
cat >descriptor.py <<'END'
import ctypes, os, signal, sys
libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if child == 0:
    signal.pause()
print(child, file=open("child", "w"))
descriptor = libc.syscall(434, child, 0) # pidfd_open
for number in 0, signal.SIGTERM:
    if libc.syscall(424, descriptor, number, None, 0): # pidfd_send_signal
        sys.exit("errno %d" % ctypes.get_errno())
libc.syscall(424, 77, signal.SIGTERM, None, 0)
os.waitpid(child, 0)
END
command -v python3 >python || exit 0
tool killsnoop -c "$(cat python) -S descriptor.py"
child=$(cat child)
same "$(awk -v child="$child" '$6 == child { print $5, $7 }' out | tr '\n' ' ')" "0 - SIGTERM - " "signals by a descriptor"
contains ' SIGTERM  *0  *EBADF$'
