# What: stack() and caller begin with the interrupted code, at probes of each kind of the kernel's events; sym() and func() name it.
# Needs: btf
. "$LIB"
# ours FILE - frames of programs and of what calls them
ours() {
	grep -n -e 'bpf`' -e '`bpf_' -e '`trace_call_bpf' -e '`__bpf_trace_' -e '`__traceiter_' -e '`perf_trace_' -e '`kprobe_' -e '`fprobe_' "$1"
}
mkdir prov
cat >prov/mine.prov <<'E2'
provider mine { probe switch (int pid) { on record sched:sched_switch (int prev_pid) { pid = prev_pid; } } }
E2
for probe in 'syscall::nanosleep:entry,syscall::clock_nanosleep:entry' 'syscall::nanosleep:return,syscall::clock_nanosleep:return' \
	'rawtp:::sched_switch' 'rawtp:::sys_exit' 'sdt:sched::sched_switch' 'sdt:raw_syscalls::sys_exit' 'sched:::off-cpu' 'sched:::sleep' 'mine:::switch' \
	'sysinfo:::pswitch' 'cpc:::context_switches-all-1' 'fbt::schedule:entry'; do
	case $probe in
	fbt*) [ -d /sys/bus/event_source/devices/kprobe ] || continue ;;
	esac
	must_trace -xprovdir=prov -n "$probe"' /pid == $target/ { stack(3); printf("caller "); sym(caller); printf("\n"); func(caller); exit(0); }' -c "$TRIGGERS/syscalls 100 1000"
	ours out && fail "$probe: frames of ours"
	grep -q '^ *[a-z0-9_]*`[a-zA-Z_0-9.]*[+0-9a-fx]*$' out || fail "$probe: no kernel function"
	contains '^caller *[a-z0-9_]*`[a-zA-Z_]'
	case $probe in
	sched:::* | rawtp:::sched* | sdt:sched* | mine* | sysinfo*) contains '`\(__schedule\|schedule\|preempt_schedule[a-z_]*\|__cond_resched\)' ;;
	esac
done
# Two programs at one event: the kernel calls them in another way.
must_trace -n 'rawtp:::sched_switch /pid == $target/ { stack(1); n++; } sdt:sched::sched_switch /pid == $target/ { stack(1); n++; } tick-10ms /n > 4/ { exit(0); }' \
	-c "$TRIGGERS/syscalls 500 1000"
ours out && fail "two programs: frames of ours"
exit 0
