# What: copyout() and copyoutstr() write to the process that fires; if the kernel is locked down, this is reported
# before anything runs. Needs: uprobe.  Executors: kernel process.
. "$LIB"
trace -w -c "$TRIGGERS/copyout" -n '
	pid$target::first:entry { this->word = (long *)alloca(8); *this->word = 42; copyout(this->word, arg0, 8); }
	pid$target::second:entry { copyoutstr("some text", arg0, 5); copyoutstr("ab", arg0 + 8, 100); }
	pid$target::third:entry { copyout((void *)curthread, 8, 16); }
	ERROR { printf("fault %d at %x\n", arg4, arg5); }'
if grep -q 'need bpf_probe_write_user()' err; then
	same "$status" 1 status
	contains 'could not enable tracing: pid[0-9]*:.*:entry (line [0-9]*): copyout() and copyoutstr() need bpf_probe_write_user(): ' err
	contains 'lockdown\|CAP_SYS_ADMIN' err
	[ -s counts ] && fail "the process ran"
	exit 0
fi
same "$(counted number)" 42 "the number that was written"
same "$(counted bytes)" 5 "the bytes that were written of a text that is too long"
same "$(counted short)" 3 "the bytes of a short text, with its NUL"
contains '^fault 1 at 8$'
