# What: a kernel without KVM, or whose module is not loaded, has no such probes, and why is said.  Needs: btf
. "$LIB"
[ ! -d /sys/module/kvm ] || skip "KVM is here"
"$DTRACE" -n 'kvm:::pio { } BEGIN { exit(0); }' >out 2>err && fail "there is a probe"
grep -q 'there is no tracepoint kvm_pio' err || fail "$(cat err)"
"$DTRACE" -lvvZn 'kvm:::exit' >out 2>&1
contains 'tracefs has no event kvm:kvm_exit'
"$DTRACE" -qn 'BEGIN { trace(vmregs[0]); } ERROR { printf("no register\n"); exit(0); }' >out 2>err
contains '^no register'
