# What: our libraries and built-ins mean the kernel's types, whatever a library of -L declares.  Needs: btf.
. "$LIB"
mkdir lib
cat >lib/a.d <<'D'
struct task_struct { int pid; };
typedef char pid_t, uid_t;
struct file { int nothing; };
struct mm_struct { int x; };
inline struct task_struct *mine = (struct task_struct *)0;
inline int PIDTYPE_PID = 77;
translator psinfo_t < struct task_struct *T > { pr_pid = 1; };
D
cat >lib/b.d <<'D'
#pragma D depends_on library a.d
inline int size_b = sizeof(struct task_struct);
inline psinfo_t *other = xlate <psinfo_t *>(mine);
D
cat >it.d <<'D'
BEGIN
{
	printf("%d %d %d", curthread->pid == tid, curthread->tgid == pid, curpsinfo->pr_pid == pid);
	printf(" %d %d", curlwpsinfo->pr_lwpid == tid, sizeof(pid) == 4);
	printf(" %d %s\n", curpsinfo->pr_ppid == ppid, fds[0].fi_pathname);
	printf("%d %d %d %d\n", sizeof(struct task_struct), size_b, other->pr_pid, PIDTYPE_PID);
	exit(0);
}
D
must_trace -q -L lib -s it.d </dev/null
printf '1 1 1 1 1 1 /dev/null\n4 4 1 77\n\n' | diff - out || fail "a library changed what curthread means"
