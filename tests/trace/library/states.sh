# What: psinfo_t and lwpsinfo_t of other processes say what /proc says: one that sleeps, one that is
# stopped, a zombie, one that computes; times that a process and its children have run.
# Needs: btf python3.
. "$LIB"
cat >child.py <<'PY'
import os, signal, sys, time

def stat(pid):
    return open("/proc/%d/stat" % pid).read().rsplit(") ", 1)[1].split()

def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(3)
    return pid

def compute(seconds):
    while time.process_time() < seconds:
        pass

os.waitpid(child(lambda: compute(0.2)), 0)
compute(0.1)
pids = [child(work) for work in (
    lambda: time.sleep(300),
    lambda: os.kill(os.getpid(), signal.SIGSTOP),
    lambda: os._exit(3),
    lambda: compute(300))]
while [stat(pid)[0] for pid in pids] != ["S", "T", "Z", "R"] or stat(pids[3])[11] == "0":
    time.sleep(0.01)
with open("pids", "w") as f:
    print(*pids, file=f)
with open("times", "w") as f:
    os.chdir("/")
    mine = stat(os.getpid())
    print(*mine[11:15], os.sysconf("SC_CLK_TCK"), file=f)
for pid in pids:
    os.kill(pid, signal.SIGKILL)
PY
cat >it.d <<'D'
inline struct task_struct *child_of[struct list_head *l] =
	(struct task_struct *)((char *)l - offsetof(struct task_struct, sibling));
syscall::chdir:entry
/pid == $target/
{
	printf("own %d %d\n", curpsinfo->pr_time.tv_sec * 1000 + curpsinfo->pr_time.tv_nsec / 1000000,
	    curpsinfo->pr_ctime.tv_sec * 1000 + curpsinfo->pr_ctime.tv_nsec / 1000000);
	printf("thread %d\n", curlwpsinfo->pr_time.tv_sec == curpsinfo->pr_time.tv_sec &&
	    curlwpsinfo->pr_time.tv_nsec == curpsinfo->pr_time.tv_nsec);
	this->l = curthread->children.next;
}
D
for i in 1 2 3 4; do
	cat >>it.d <<'D'
syscall::chdir:entry
/pid == $target/
{
	this->c = child_of[this->l];
	printf("child %d of %d: %c %d %d %d\n", xlate <psinfo_t>(this->c).pr_pid,
	    xlate <psinfo_t>(this->c).pr_ppid == pid, xlate <lwpsinfo_t>(this->c).pr_sname,
	    xlate <lwpsinfo_t>(this->c).pr_state, xlate <lwpsinfo_t>(this->c).pr_flag,
	    xlate <psinfo_t>(this->c).pr_wstat);
	printf("  %s %d %d %d\n", xlate <psinfo_t>(this->c).pr_fname,
	    xlate <psinfo_t>(this->c).pr_size > 0, xlate <lwpsinfo_t>(this->c).pr_lwpid ==
	    xlate <psinfo_t>(this->c).pr_pid, xlate <psinfo_t>(this->c).pr_nlwp);
	this->l = this->l->next;
}
D
done
must_trace -s it.d -c "$(command -v python3) child.py"
read -r sleeping stopped zombie computing <pids
name=$(sed -n 's/^  \([^ ]*\) .*/\1/p' out | head -n 1)
# The last one is on a CPU at that moment, or waits for one.
sed -i "s/^\(child $computing of 1: \)\(R 2\|O 6\) /\1running /" out
cat >wanted <<W
child $sleeping of 1: S 1 0 0
  $name 1 1 1
child $stopped of 1: T 4 1 0
  $name 1 1 1
child $zombie of 1: Z 3 0 768
  $name 0 1 1
child $computing of 1: running 0 0
  $name 1 1 1
W
grep '^child\|^  ' out | diff wanted - || fail "not what is wanted"
contains '^thread 1$'
# Both count in ticks: equal except for the time between the two readings.
read -r user system children_user children_system hz <times
own=$(awk '$1 == "own" { print $2 }' out) children=$(awk '$1 == "own" { print $3 }' out)
near() {
	[ $(($1 - $2)) -le 60 ] && [ $(($2 - $1)) -le 60 ] || fail "$3: $1 ms, /proc says $2"
}
near "$own" $(((user + system) * 1000 / hz)) 'own time'
near "$children" $(((children_user + children_system) * 1000 / hz)) "children's time"
[ "$children" -gt 100 ] || fail "children ran for $children ms"
