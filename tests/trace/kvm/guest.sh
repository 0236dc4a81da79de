# What: ports, memory of devices, model-specific registers and returns to the process of a virtual machine: as many as its
# code makes, with its values and places; its registers.  Needs: btf x86_64
. "$LIB"
"$TRIGGERS/guest" 2>err || skip "no virtual machine here: $(cat err)"
run_guest() {
	must_trace "$@" -c "$TRIGGERS/guest 7 3 5 4 6 0 2"
}

run_guest -n '
kvm:::pio /pid == $target/ { @n["pio", args[2] ? "out" : "in", args[3], args[4], args[5]] = count(); @v["pio", args[3]] = sum(args[6]); }
kvm:::mmio /pid == $target/ { @n["mmio", args[2] ? "out" : "in", args[3], args[4], 1] = count(); @v["mmio", args[3]] = sum(args[5]); }
kvm:::msr /pid == $target/ { @n["msr", args[2] ? "out" : "in", args[3], 8, 1 + args[5]] = count(); @v["msr", args[3]] = sum(args[2] ? args[4] : 0); }
kvm:::userspace-exit /pid == $target/ { @u[args[2], args[3], args[4]] = count(); }
END { printa("%s %s %x %d*%d %@d\n", @n); printa("sum-%s-%x %@d\n", @v); printa("exit-%s %d %d %@d\n", @u); }'
sort out >sorted
cat >wanted <<'E2'
exit-HLT 5 0 1
exit-IO 2 0 12
exit-MMIO 6 0 9
mmio in e0038 4*1 4
mmio out e0034 1*1 5
msr in 1b 8*1 6
msr out 4b564d05 8*1 6
pio in 212 2*1 3
pio out 210 1*1 7
pio out 214 1*1 2
E2
grep -v '^sum-\|^$' sorted >got
diff wanted got || fail "counts"
same "$(value_of sum-pio-210) $(value_of sum-pio-212)" "28 $((3 * 0x5a5a))" "values of ports"
same "$(value_of sum-mmio-e0034) $(value_of sum-mmio-e0038)" "15 $((4 * 0x12345678))" "values of memory"
same "$(value_of sum-msr-4b564d05)" 6 "values of registers"
same "$(counted interrupts)" 2 "interrupts"

# Where the guest is, by argument and by register; its counter is the value that it writes; which virtual CPU it is.
run_guest -n '
kvm:::pio /pid == $target && args[3] == 0x210/ {
	@n["pc"] = sum(args[1]); @n["rip"] = sum(vmregs[VMX_GUEST_RIP] == args[1] && vmregs[R_RIP] == args[1]);
	@n["cx"] = sum(vmregs[R_RCX] == args[6]); @n["cr0"] = sum(vmregs[VMX_GUEST_CR0] & 1); @n["rsp"] = sum(vmregs[VMX_GUEST_RSP]);
	@n["dr7"] = sum(vmregs[VMX_GUEST_DR7]);
	@n["number"] = sum(args[0]->vcpu_id + (args[0] != curvcpu)); @n["run"] = sum(args[0]->run->request_interrupt_window); }
kvm:::mmio /pid == $target && args[2]/ { @n["write-pc"] = sum(args[1]); }
END { printa("%s %@d\n", @n); }'
same "$(value_of pc) $(value_of write-pc)" "$((7 * $(counted pc-of-out))) $((5 * $(counted pc-of-write)))" "program counters"
same "$(value_of rip) $(value_of cx) $(value_of cr0) $(value_of rsp)" "7 7 0 $((7 * 0x8000))" "registers"
same "$(value_of dr7)" "$((7 * 0x400))" "the debug register, as after a reset"
same "$(value_of number) $(value_of run)" "0 0" "the virtual CPU"

# A thread that runs none has no such registers, and nor has any a field that KVM does not keep.
trace -n 'syscall::getppid:entry /pid == $target/ { trace(vmregs[R_RIP]); } ERROR { n++; exit(0); } END { printf("%d errors\n", n); }' \
	-c "$TRIGGERS/syscalls"
contains '^1 errors'
trace -n 'kvm:::pio /pid == $target/ { trace(vmregs[VMX_GUEST_LINEAR_ADDRESS]); } ERROR { n++; exit(0); } END { printf("%d errors\n", n); }' -c "$TRIGGERS/guest 1"
contains '^1 errors'
