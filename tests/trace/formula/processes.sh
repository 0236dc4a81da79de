# What: a provider of a user's with context pidclass: functions and static probes of a process as events, system calls of its threads, self values; what is missing or wrong.  Needs: uprobe btf.
# Executors: kernel (its probes are of the kernel).
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
typedef struct mine_word { int value; } mine_word_t;
provider mine {
	context pidclass;
	module threads;
	probe begin (int number) { on uprobe a.out:begin (int n) { number = n; } }
	probe untyped (long number) { on uprobe a.out:begin(n) when n % 2 == 0 { number = n; raw 3 = n + 1; } }
	probe either (long n) { on uprobe a.out:begin, a.out:finish, a.out:no_such_function (n) { n = n; } }
	probe finished (long number, int steps) {
		on uprobe a.out:step () { self.steps = self.steps + 1; silent; }
		on uprobe a.out:finish return (n) = r { number = n; steps = self.steps; }
	}
	probe name (string name, mine_word_t *word) {
		on syscall openat entry (int at, const char *path) { name = stringof(path); word = (long)path; }
	}
	probe end () { on tp sched_process_exit (struct task_struct *t) ; }
	probe current (struct task_struct *t, struct task_struct *p) {
		on tp sched_process_exit (struct task_struct *p) { t = curthread; }
	}
	probe static (int n) { on usdt prov:go (int n) { n = n; } }
	probe absent () {
		on uprobe a.out:no_such_function ();
		else on uprobe nothing ();
		else on uprobe a.out:begin (int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k);
	}
	probe wrong (int n) { on uprobe a.out:begin (int n) { n = m; } }
}
END
cat >providers/fixed.prov <<'END'
provider fixed { probe a () { on uprobe libc:malloc (size); } }
END
trace -xprovdir=providers -n 'mine$target:::begin { @["begin", args[0] == arg0] = count(); }
	mine$target:threads::untyped { @["untyped", arg3 == arg0 + 1] = count(); }
	mine$target:::either { @["either", 0] = count(); }
	mine$target:::finished { @["finished", args[1]] = count(); }
	mine$target:::name { @["name", args[0] == "/etc/ld.so.cache"] = count(); }
	mine$target:::current { @["current", args[0] == curthread && args[1]->tgid == $target] = count(); }
	mine$target:::end { @["end", pid == $target] = count(); }' -c "$TRIGGERS/threads 6 4"
same "$status" 0 "status"
contains '^ *begin  *1  *6$'
contains '^ *untyped  *1  *3$'
contains '^ *either  *0  *12$'
contains '^ *finished  *4  *6$'
contains '^ *end  *1  *7$'
contains '^ *current  *1  *7$' # a pointer of the kernel's is one in a provider of processes, too
trace -xprovdir=providers -n 'mine$target:::wrong' -c "$TRIGGERS/threads 2"
same "$status" 1 "status of a wrong formula"
contains '^dtrace: provider file providers/mine.prov line 2[0-9]: m is unknown' err
contains '^ *| *.*^$' err
contains 'mine[0-9]*:::wrong does not match any probes' err
"$DTRACE" -xprovdir=providers -lvvn 'mine$target:::' -c "$TRIGGERS/threads 2" >out 2>err
same "$(awk '/^ *[0-9]/ { print $NF }' out | sort | tr '\n' ' ')" "absent begin current either end finished name static untyped " "probes, each once"
contains 'Events: uprobe threads+0x'
contains 'Not in this process: providers/mine.prov line .*no_such_function'
contains 'Not in this process: providers/mine.prov line .*: uprobe is OBJECT:FUNCTION, not nothing'
contains 'Not in this process: providers/mine.prov line .*: a probe has ten arguments'
"$DTRACE" -xprovdir=providers -lvvn 'fixed:::' >out 2>err
contains 'provider file providers/fixed.prov line 1: its provider needs "context pidclass;"' err
# refused DESCRIPTION MESSAGE
refused() {
	trace -xprovdir=providers -n "$1" -c true
	same "$status" 1 "status of $1"
	contains "$2" err
}
refused 'mine$target:::absent' '(this process has none: '
same "$(grep -c 'none: line' err)" 0 "a line of the .prov file, which the reader takes for the program's"
refused 'mine999999999:::begin' 'no such process'
# Of every process there are none: nobody is asked for static probes of the name.
refused 'mine:::begin' '(provider mine is that of one process, as in mine1234 or mine$target, or of every process, as in mine\*)'
