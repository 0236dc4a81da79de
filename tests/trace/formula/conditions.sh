# What: each condition for the kernel, fulfilled and not, chooses between two events of a probe.  Needs: btf.
. "$LIB"
mkdir providers
# chooses EXPECTED CONDITION [OPTION=VALUE] - the event before `else` ("exit") or after it ("fork")
chooses() {
	cat >providers/try.prov <<END
provider try { probe it () { on tp sched_process_exit () if $2; else on tp sched_process_fork (); } }
END
	"$DTRACE" -xprovdir=providers -x"${3:-provdir=providers}" -lvvn try:::it >out 2>err || fail "$2 $3: $(cat err)"
	same "$(sed -n 's/.*Events: tracepoint sched_process_//p' out)" "$1" "the event chosen if $2 $3"
	[ "$1" = exit ] || contains 'Not chosen: providers/try.prov line 1: the condition of line 1 is not fulfilled here'
}
chooses exit 'has(struct task_struct.tgid)'
chooses exit 'has(struct task_struct.signal.group_exit_code)'
chooses fork 'has(struct task_struct.signal.no_such_member)'
chooses exit 'has(struct task_struct.real_parent.se.vruntime)'
chooses fork 'has(struct task_struct.tgid.no_such_member)'
chooses fork 'has(struct task_struct.no_such_member)'
chooses fork 'has(struct no_such_struct.tgid)'
chooses exit 'hastp(sched_switch)'
chooses fork 'hastp(no_such_tracepoint)'
chooses exit 'hastp(sched_process_fork, 2)'
chooses fork 'hastp(sched_process_fork, 3)'
chooses exit 'hasenum(PERF_TYPE_HARDWARE)'
chooses fork 'hasenum(NO_SUCH_CONSTANT)'
chooses fork 'hasfunc(no_such_function)'
chooses exit "arch($(uname -m))"
chooses fork 'arch(alpha)'
chooses exit '!arch(alpha) && (arch(alpha) || hastp(sched_switch))'
chooses fork 'arch(alpha) && hastp(sched_switch) || !hastp(sched_switch)'
chooses exit 'option(ioview, bio)'
chooses fork 'option(ioview, request)'
chooses fork 'option(ioview, bio)' ioview=request
chooses exit 'option(ioview, request)' ioview=request
chooses fork 'option(no_such_option, bio)'
chooses fork 'option(quiet, on)' # not a word
if [ -r /proc/config.gz ] || [ -r "/boot/config-$(uname -r)" ]; then
	chooses exit 'config(BPF_SYSCALL)'
	chooses exit 'config(CONFIG_BPF_SYSCALL)'
	chooses fork 'config(CONFIG_BPF_SYS)'
	chooses fork 'config(BPF_SYS)'
	chooses fork 'config(NO_SUCH_OPTION)'
else # not known is not fulfilled
	chooses fork 'config(BPF_SYSCALL)'
fi
