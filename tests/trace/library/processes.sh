# What: psinfo_t of a 32-bit process, of one with a terminal, and of one with many arguments, of which pr_psargs holds as much as a
# string does.  Needs: btf x86_64 python3.
. "$LIB"
more=$(printf 'x%.0s' $(seq 150))
must_trace -n 'syscall::chdir:entry /pid == $target/ { printf("%s|%d\n", curpsinfo->pr_psargs,
	strlen(curpsinfo->pr_psargs)); exit(0); }' -c "sh -c 'cd /' $more"
same "$(head -n 1 out)" "sh -c cd / $more|161" 'arguments'
trace -x strsize=100 -n 'syscall::chdir:entry /pid == $target/ { printf("%s\n", curpsinfo->pr_psargs); exit(0); }' -c "sh -c 'cd /' $more"
same "$(head -n 1 out)" "$(printf '%s' "sh -c cd / $more" | cut -c1-100)" 'arguments beyond strsize'

cat >it.py <<'PY'
import fcntl, os, pty, struct, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["dtrace", "-qn",
             "BEGIN { printf(\"tty %s %d\\n\", stringof(curpsinfo->pr_ttydev->name), curpsinfo->pr_sid == pid); exit(0); }"])
name, text = "/dev/pts/%d" % struct.unpack("i", fcntl.ioctl(fd, 0x80045430, bytes(4))), b"" # TIOCGPTN
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    text += part
os.waitpid(pid, 0)
print(text.decode().split("\r\n")[0], name)
PY
python3 it.py "$DTRACE" >out 2>err || fail "a terminal"
read -r word number leader name <out
same "$word /dev/pts/${number#pts} $leader" "tty $name 1" 'the terminal'

cat >small.c <<'C'
void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(64)); /* getppid */
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
C
cc -m32 -nostdlib -static -fno-pie -no-pie -o small small.c 2>/dev/null && ./small || skip "no 32-bit programs here"
must_trace -n 'syscall::getppid:entry /pid == $target/ { printf("%d %s %d %d\n", curpsinfo->pr_dmodel == PR_MODEL_ILP32,
	curpsinfo->pr_psargs, curpsinfo->pr_argc, curlwpsinfo->pr_syscall); exit(0); }' -c ./small
same "$(head -n 1 out)" '1 ./small 1 64' 'a 32-bit process'
