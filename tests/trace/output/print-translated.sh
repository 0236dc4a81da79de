# What: print() of translated arguments and inlines shows all members with the values that they have alone, and names those
# that have none.  Needs: btf.
. "$LIB"
cat > d.d <<'D'
struct out { int m; int missing; string s; };
translator struct out < struct task_struct *T > { m = T->pid; s = "text"; };
sched:::off-cpu /pid == $target && !done/
{
	print(args[0]);
	print(*args[1]);
	print(curpsinfo);
	print(fds[0]);
	print(xlate <struct out> (curthread));
	printf("want %s %d %s %d\n", args[1]->pr_fname, args[0]->pr_lwpid, fds[0].fi_pathname, pid);
	done = 1;
}
D
must_trace -q -x printsize=64k -s d.d -c 'sleep 0.1' </dev/null
[ "$(grep -c '^struct lwpsinfo {$' out) $(grep -c '^struct psinfo {$' out) $(grep -c '^struct fileinfo {$' out)" = "1 2 1" ] || fail "structs"
read -r _ name lwp path pid <<W
$(grep ^want out)
W
contains "^    int pr_lwpid = $(printf '%#x' "$lwp")\$" # 0 is printed as 0: the idle thread's
contains "^    char \[16\] pr_fname = \[ \"$name\" \]\$"
contains '^    char \[16\] pr_fname = \[ "sleep" \]$'
contains "^    string fi_pathname = \"$path\"\$"
contains "^    int m = $(printf '%#x' "$pid")\$"
contains '^    int missing = <has no translation>$'
