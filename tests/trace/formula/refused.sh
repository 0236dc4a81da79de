# What: formulas that mean themselves or other formulas, tasks that are none, and files that are no texts of providers are refused with
# the reason: nothing crashes, nothing waits.  Needs: btf.
. "$LIB"
mkdir circles tasks files
cat >circles/itself.prov <<'E2'
provider itself { probe x () { on probe itself:::x; } }
E2
cat >circles/mutual.prov <<'E2'
provider mutual {
	probe one () { on probe mutual:::two; }
	probe two () { on probe mutual:::one; }
}
E2
echo 'provider pattern { probe start () { on probe *:::start; } }' >circles/pattern.prov
echo 'provider all { probe x () { on probe :::; } }' >circles/all.prov
"$DTRACE" -xprovdir=circles -l >out 2>err || fail "status $?"
for name in itself mutual pattern all; do
	grep -q " $name " out && fail "$name is there"
	"$DTRACE" -xprovdir=circles -lvvn "$name:::" >out 2>err
	case $name in
	itself | mutual) contains '^dtrace: provider file circles/.*line [123]: .* is made by a formula, and no other is made of it' err ;;
	*) contains 'line [12]: .*cannot be an event of a formula' out ;;
	esac
done
trace -xprovdir=circles -n 'pattern:::start { } BEGIN { exit(0); }'
same "$status" 1 "status"
contains 'cannot be an event of a formula' err

# A task is a struct task_struct *.
for value in 5 '"x"' execname '*curthread' 'next->mm' 'xlate <psinfo_t *>(next)'; do
	cat >tasks/mine.prov <<E2
provider mine {
	probe x () {
		on tp sched_switch(bool preempt, struct task_struct *last, struct task_struct *next, ...) { task = $value; }
	}
}
E2
	trace -xprovdir=tasks -n 'mine:::x /pid == $target/ { @[execname] = count(); }' -c true
	same "$status" 1 "status of $value"
	contains 'tasks/mine.prov line 3: the task is a struct task_struct \*' err
	contains '^ *| *^~*$' err
done

# What is no file is not read; a name with a number is of a process.
mkfifo files/pipe.prov files/pipe.d
ln -s /dev/zero files/endless.prov
echo 'provider ext4 { probe x () { on tp sched_process_exec(...); } }' >files/ext4.prov
for option in -xprovdir=files -Lfiles; do
	timeout 20 "$DTRACE" "$option" -qn 'BEGIN { trace("begun"); exit(0); }' >out 2>err || fail "status $? of $option"
	contains begun out
done
contains 'files/pipe.d is left out: .*not a regular file' err
timeout 20 "$DTRACE" -xprovdir=files -ln '*:::x' >out 2>err
contains 'files/pipe.prov are left out: it is not a regular file' err
contains 'files/endless.prov are left out: it is not a regular file' err
contains 'files/ext4.prov are left out: .*digit' err

# refused FILE TEXT MESSAGE - the provider mine, whose text is TEXT, has no probe x, and says so with a caret
mkdir mistakes
refused() {
	echo "provider mine { $1 }" >mistakes/mine.prov
	"$DTRACE" -xprovdir=mistakes -lvvn mine:::x >out 2>err
	grep -q ' mine  *vmlinux  *x$' out && ! grep -q 'Not on this kernel' out && fail "the probe of $1 is there"
	grep -qF -- "$2" out err || { cat out err; fail "no \"$2\" for $1"; }
	[ -n "$3" ] || contains '^ *| *[\^~]*$' err
}
on='on syscall getppid entry'
refused "probe x (long a) { $on () { a = 1; a = 2; } }" 'a is here already'
refused "probe x (long a) { $on () { let b = 1; let b = 2; a = b; } }" 'b is here already'
refused "probe x (long a) { $on () { raw 1 = 1; raw 1 = 2; } }" 'this argument is here already'
refused "probe x (long a) { $on () { raw 10 = 1; } }" 'a probe has arg0 to arg9'
refused "probe x (long a) { $on () { raw 4294967296 = 1; } }" 'a probe has arg0 to arg9'
refused "probe x (long a) { $on () { save 1: int s = 4, int s = 5; silent; } $on () { load 1; a = s; } }" 's is here already'
refused "probe x (long a) { $on () { save 1: string s = execname; a = 1; } }" 's cannot be saved: a value that is kept is a number or a pointer, not string'
refused "probe x (long a) { $on () { save 1: int s = execname; a = 1; } }" 's has the type int, but its value string'
refused "probe x (long a) { $on () { self.s = execname; } }" 'a value that is kept is a number or a pointer, not string'
refused "probe x (psinfo_t *a) { $on () { a = xlate <psinfo_t *>(curthread) with { pr_pid = 0, pr_pid = 1 }; } }" 'pr_pid is here already'
refused "probe x () { on perf timer 97 parsecs; }" '97parsecs is not a rate of a timer'
refused "probe x () { on perf heat 97; }" 'perf knows sw, hw and timer, not heat'
refused "probe x () { on record sched_switch (int prev_pid); }" 'a record is GROUP:EVENT, not sched_switch'
refused "probe x () { on usdt libc:mutex_entry; }" 'its provider needs "context pidclass;"'
refused "probe x () { on probe mine:::x; }" 'mine:::x is made by a formula'
refused "probe x (void a) { $on (); }" 'the argument a cannot be void'
refused "probe x (long a) { $on () { silent; } }" 'the probe never fires'
refused "probe x (long a) { $on () { a = (mine = 5); } }" 'has no assignments'
refused "probe x (long a) { $on () { a = ++mine; } }" 'has no assignments'
refused "probe x* () { $on (); }" 'the name of a probe has no *'
refused "module a:b; probe x* () { $on (); }" 'the name of a module has no *'
refused "probe x (long a) { $on (long b, long c, long d, long e, long f, long g, long h) { a = h; } }" 'the event has only 6 arguments' no-caret
refused "probe x (string a) { on record sched:sched_switch (string prev_pid) { a = prev_pid; } }" 'record sched:sched_switch: its field prev_pid is pid_t, not string' no-caret
# Of two probes with one name the first is there.
echo "provider mine { probe x () { $on (); } probe x (int a) { $on (); } }" >mistakes/mine.prov
"$DTRACE" -xprovdir=mistakes -ln mine:::x >out 2>err
contains ' mine  *vmlinux  *x$' out
contains 'line 1: x is here already' err
# A stability too few is one mistake.
echo "provider mine { attributes Evolving/Evolving/ISA; probe x () { $on (); } }" >mistakes/mine.prov
"$DTRACE" -xprovdir=mistakes -ln mine:::x >out 2>err
same "$(grep -c '^dtrace:' err)" 1 "messages"

# What the user does wrong with an argument is shown in the user's text.
for clause in 'proc:::create { trace(args[0]); }' 'proc:::create /args[0] != NULL/ { }'; do
	trace -n "$clause"
	contains 'has no value of its own' err
	contains '^ *1 | proc:::create' err
done
