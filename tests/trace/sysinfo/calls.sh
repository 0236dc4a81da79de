# What: calls, bytes, new processes and threads, messages and semaphores are counted exactly.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import ctypes, os, resource, threading
libc = ctypes.CDLL(None, use_errno=True)
data = os.open("data", os.O_RDWR | os.O_CREAT)
queue = libc.msgget(0, 0o1600)
sets = libc.semget(0, 1, 0o1600)
message = ctypes.create_string_buffer(b"\1" + bytes(15))
operation = ctypes.create_string_buffer(b"\0\0\1\0\0\0")
os.chdir("/")
for i in range(7):
    os.write(data, b"x" * 100)
os.writev(data, [b"y" * 30, b"z" * 20])
os.pwrite(data, b"w" * 5, 0)
for i in range(4):
    os.pread(data, 60, 0)
os.lseek(data, 0, 0)
os.read(data, 1000)
os.read(data, 1000)
for i in range(3):
    if queue >= 0:
        libc.msgsnd(queue, message, 4, 0)
        libc.msgrcv(queue, message, 4, 0, 0)
for i in range(5):
    if sets >= 0:
        libc.semop(sets, operation, 1)
for i in range(4):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
for i in range(3):
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
libc.chdir(b"/tmp")
if queue >= 0:
    libc.msgctl(queue, 0, 0)
if sets >= 0:
    libc.semctl(sets, 0, 0)
with open(os.environ["HERE"] + "/ipc", "w") as f:
    print(int(queue >= 0), int(sets >= 0), file=f)
# No room for another process: a user without privileges, and a limit.
os.setresuid(65534, 65534, 65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
libc.chdir(b"/")
for i in range(2):
    try:
        os.fork()
        os._exit(1)
    except BlockingIOError:
        pass
E2
cat >test.d <<'E2'
int on;
syscall::chdir:entry /pid == $target/ { on = !on; }
sysinfo:::sysread,sysinfo:::syswrite,sysinfo:::readch,sysinfo:::writech,sysinfo:::sysfork,sysinfo:::sysvfork,sysinfo:::nthreads,
sysinfo:::procovf,sysinfo:::msg,sysinfo:::sema
/pid == $target && on/ { @n[probename] = count(); @sum[probename] = sum(arg0); @same["same"] = min(args[0] == arg0); }
/* of the children that posix_spawn() makes, before they are another program */
sysinfo:::sysexec /progenyof($target) && pid != $target && on/ { @n[probename] = count(); @sum[probename] = sum(arg0); }
END { printa("%s %@d %@d\n", @n, @sum); printa("%s %@d\n", @same); }
E2
export HERE="$PWD"
must_trace -s test.d -c "$(command -v python3) child.py"
LC_ALL=C sort out | sed '/^$/d' >sorted
read -r msg sem <ipc
{
	[ "$msg" = 0 ] || echo 'msg 6 6'
	echo 'nthreads 7 7
procovf 2 2
readch 5 990
same 1'
	[ "$sem" = 0 ] || echo 'sema 5 5'
	echo 'sysexec 3 3
sysfork 4 4
sysread 6 6
sysvfork 3 3
syswrite 9 9
writech 9 755'
} >wanted
diff wanted sorted >differences || { cat differences; fail "other counts"; }
