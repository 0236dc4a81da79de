# Mistakes in a file of providers, each with its place; the other probes are there, and so are those of other files.
tar -xJf "$(dirname "$0")/../../kernels/6.18-x86_64.tar.xz" || exit 1
mkdir mine
check() {
	echo "== $1"
	"$DTRACE" -xprovcheck=6.18-x86_64 -xprovdir=mine >out 2>err
	echo "status $?"
	cat err
	grep '^nap:' out
	grep -c '^proc:::exec:' out
}
# Declarations that the grammar refuses are not used.
for wrong in 'struct;' 'enum;' 'inline int x = curthread->;' 'inline int x = (struct;' 'translator psinfo_t < struct;' 'int a[struct*;'; do
	echo "$wrong provider nap { probe a () { on tp sched_switch (); } }" >mine/nap.prov
	check "$wrong"
done
cat >mine/nap.prov <<'END'
provider nap {
	module "a*b";
	attributes Evolving/Evolving/ISA;
	probe sound () { on tp sched_switch (); }
	probe record () { on record sched_switch (int prev_pid); }
	probe rate () { on perf timer 1000000 (); }
	probe kind () { on perf heat 97 (); }
	probe process (long n) { on uprobe libc:malloc (size) { n = size; } }
	probe itself () { on probe nap:::itself (); }
	probe statements () { on tp sched_switch () }
}
END
check "what no kernel has"
# The type of an argument is that of its value.
cat >mine/nap.prov <<'END'
provider nap {
	probe sound (string s, struct task_struct *t, char *n, void *v, uintptr_t a, int i, long l) {
		on tp sched_switch (bool pre, struct task_struct *t, ...) {
			s = t->comm; n = t->comm; v = t; a = (uintptr_t)t; i = t->pid; l = t;
		}
	}
	probe other (psinfo_t *p) { on tp sched_switch (bool pre, struct task_struct *t, ...) { p = t; } }
	probe translated (psinfo_t *p) { on tp sched_switch (bool pre, struct task_struct *t, ...) { p = xlate <lwpsinfo_t *> (t); } }
	probe pointer (struct task_struct *x) { on tp sched_switch (bool pre, struct task_struct *t, ...) { x = t->mm; } }
	probe array (int x) { on tp sched_switch (bool pre, struct task_struct *t, ...) { x = t->comm; } }
	probe half (int x) { on tp sched_switch (bool pre, struct task_struct *t, ...) { x = t; } }
	probe nothing (void x) { on tp sched_switch (); }
	probe raw (int x) { on tp sched_switch () { raw 0 = "s"; } }
	probe own (int x) { on tp sched_switch () { x = args[0]; } }
	probe number (int x) { on tp sched_switch () { x = arg0; } }
}
END
check types
{
	echo 'provider nap {'
	seq 5000 | sed 's/.*/probe p& () { on tp sched_switch (); }/'
	echo '}'
} >mine/nap.prov
check "too many probes" >listing
grep -v '^nap:::p[1-9]' listing
echo "$(grep -c '^nap:::p[1-9]' listing) probes up to $(sed -n 's/^nap:::\(p[1-9][0-9]*\):.*/\1/p' listing | tail -n 1)"
# Without the } at its end a file's provider is not used, and is reported once.
cat >mine/nap.prov <<'END'
provider nap {
	probe a () { on tp sched_switch (); }
END
check "no } at the end"
