# What: exits and entries of a virtual machine, with their reasons and places; interrupts that it gets; its calls.  Needs: btf x86_64
. "$LIB"
"$TRIGGERS/guest" 2>err || skip "no virtual machine here: $(cat err)"
"$DTRACE" -qn 'kvm:::exit /pid == $target/ { n++; } END { printf("%d exits\n", n); }' -c "$TRIGGERS/guest 5" >out
grep -q '^0 exits' out && skip "this machine's KVM only emulates code in real mode, which never exits"

# An interrupt that is not delivered because of an exit is given to the guest again, and fires again; then it is tried again.
for try in 1 2 3 4 5; do
	must_trace -n '
kvm:::exit /pid == $target/ { @r[args[2]] = count(); @n["exits"] = sum(1); at = args[1]; }
kvm:::exit /pid == $target && (args[2] == "io" || args[2] == "IO_INSTRUCTION")/ { @at[args[1]] = count(); @n["same"] = sum(vmregs[R_RIP] == args[1] && args[0] == curvcpu); }
kvm:::entry /pid == $target/ { @n["entries"] = sum(1); }
kvm:::inj-virq /pid == $target/ { @n["interrupts"] = sum(1); @n["vector"] = sum(args[2]); @n["soft"] = sum(args[3]); }
END { printa("%s %@d\n", @n); printa("reason %s %@d\n", @r); printa("at %d %@d\n", @at); }' -c "$TRIGGERS/guest 7 3 5 4 6 0 2"
	[ "$(value_of interrupts)" -gt 2 ] || break
done
same "$(value_of exits)" "$(value_of entries)" "entries"
same "$(sed -n 's/^reason \(io\|IO_INSTRUCTION\) //p' out)" 12 "exits for ports"
same "$(sed -n 's/^reason \(msr\|MSR_[A-Z]*\) //p' out | awk '{ n += $1 } END { print n }')" 12 "exits for registers"
same "$(sed -n 's/^reason \(hlt\|HLT\) //p' out)" 1 "halts"
contains '^reason \(npf\|EPT_\)'
same "$(sed -n "s/^at $(counted pc-of-out) //p" out)" 7 "exits at the instruction"
same "$(value_of same)" 12 "registers"
same "$(value_of interrupts) $(value_of vector) $(value_of soft)" "2 $((2 * 0x21)) 0" "interrupts"

# The segments where KVM keeps them in memory, flags, and what is no register.
must_trace -n 'kvm:::exit /pid == $target && args[1] == '"$(counted pc-of-out)"'/ { @n["cx"] = sum(vmregs[R_RCX]); @n["dx"] = sum(vmregs[R_RDX]);
	@n["flags"] = sum((vmregs[VMX_GUEST_RFLAGS] & 2) != 0); }
END { printa("%s %@d\n", @n); }' -c "$TRIGGERS/guest 7"
same "$(value_of cx) $(value_of dx)" "28 $((7 * 0x210))" "registers"
same "$(value_of flags)" 7 "flags"
if grep -q '^vendor_id.*\(AuthenticAMD\|HygonGenuine\)' /proc/cpuinfo; then
	must_trace -n 'kvm:::exit /pid == $target && args[2] == "npf"/ { @n["es"] = max(vmregs[VMX_GUEST_ES_BASE]); @n["selector"] = max(vmregs[R_ES]); }
	END { printa("%s %@d\n", @n); }' -c "$TRIGGERS/guest 0 0 3"
	same "$(value_of es) $(value_of selector)" "$((0xe0000)) $((0xe000))" "a segment"
fi

must_trace -n 'kvm:::hypercall /pid == $target/ { @n["calls"] = sum(1); @n["number"] = sum(args[2]); @n["arguments"] = sum(args[3] * 1000 + args[4] * 100 + args[5] * 10 + args[6]); }
END { printa("%s %@d\n", @n); }' -c "$TRIGGERS/guest 0 0 0 0 0 4 0"
same "$(counted refused-calls)" 0 "refused calls"
same "$(value_of calls) $(value_of number) $(value_of arguments)" "4 $((4 * 0x1234)) $((4 * 1234))" "calls"
