# What: the names of a VMCS's fields are known; in a thread that runs no virtual CPU each of them is an error.  Needs: btf x86_64
. "$LIB"
for name in VIRTUAL_PROCESSOR_ID EXIT_REASON VM_EXIT_REASON EXIT_QUALIFICATION INSTRUCTION_LEN VM_EXIT_INSTRUCTION_LEN \
	VM_EXIT_INTR_INFO IDT_VECTORING_INFO_FIELD GUEST_RIP GUEST_DR7 GUEST_CS_LIMIT GUEST_CS_AR_BYTES GUEST_LDTR_SELECTOR \
	GUEST_PDPTR0_HIGH GUEST_LINEAR_ADDRESS GUEST_PHYSICAL_ADDRESS HOST_RIP HOST_TR_SELECTOR TSC_OFFSET EPT_POINTER PLE_WINDOW; do
	echo "BEGIN { @values[\"$name\"] = max(vmregs[VMX_$name]); }"
done >it.d
wanted=$(wc -l <it.d)
cat >>it.d <<'D'
ERROR { n++; }
BEGIN { exit(0); }
END { printf("%d errors\n", n); }
D
trace -s it.d
contains "^$wanted errors$"
# Each register has a number of its own.
sed -n 's/^inline int \(R_[A-Z0-9]*\) = \([0-9]*\);.*/\2 \1/p; s/^inline int \(VMX_[A-Z0-9_]*\) = \(0x[0-9a-f]*\);.*/\2 \1/p' \
	"$checkout/dlib/x86_64/regs.d" "$checkout/dlib/x86_64/vmregs.d" |
	while read -r number name; do echo $((number)) $name; done | sort >numbers
same "$(cut -d ' ' -f 1 numbers | uniq -d)" "" "numbers that are of two registers"
[ "$(wc -l <numbers)" -ge 150 ] || fail "$(cat numbers)"
# Of an event that fires in a host alone, which -l cannot tell, -lvv has a word.
[ ! -d /sys/module/kvm ] || { "$DTRACE" -lvvn kvm:::exit >out && contains 'Note: only where this kernel runs guests itself'; }
