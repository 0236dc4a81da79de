# Providers as data on the kernels of tests/kernels: which events their probes have there, and no mistakes.
kernels=$(dirname "$0")/../../kernels
for kernel in 6.1-x86_64 6.1-arm64 6.12-x86_64 6.12-arm64 6.18-x86_64; do
	tar -xJf "$kernels/$kernel.tar.xz" || exit 1
	echo "== $kernel"
	"$DTRACE" -xprovcheck="$kernel" >"$kernel.check" || echo "status $?"
	sed 's/line [0-9]*/line N/g' "$kernel.check"
done
# A description that tools/trim-kernel makes smaller says the same.
cp -r 6.12-x86_64 trimmed
here=$PWD
(cd "$kernels/../.." && tools/trim-kernel "$here/trimmed") || echo "status $?"
"$DTRACE" -xprovcheck=trimmed | diff 6.12-x86_64.check - && [ -s 6.12-x86_64.check ] && echo "== 6.12-x86_64 trimmed: the same"
# Without kprobes, and without folios (before 5.16): the events that are others, and no mistakes.
changed() {
	"$DTRACE" -xprovcheck="$1" >"$1.check" || echo "status $?"
	for side in "$2" "$1"; do
		sed 's/; not chosen.*//; s/line [0-9]*/line N/g' "$side.check" >"$side.chosen"
	done
	diff "$2.chosen" "$1.chosen" | grep '^>'
}
for kernel in 6.1-x86_64 6.12-arm64; do
	cp -r "$kernel" "$kernel-less"
	sed -i 's/^CONFIG_KPROBES=y$/CONFIG_KPROBES=n/' "$kernel-less/config"
	echo "== $kernel without kprobes"
	changed "$kernel-less" "$kernel" | grep -v 'not on this kernel'
done
cp -r 6.1-x86_64 old
sed -i 's/\x00folio\x00/\x00folix\x00/' old/btf/vmlinux
echo "== 6.1-x86_64 without folios"
changed old 6.1-x86_64
mkdir mine
cat >mine/io.prov <<'END'
provider io {
	probe a (int pid) { on record sched:sched_switch (int prev_pid) { pid = prev_pid; } }
	probe b () { on record sched:sched_switch (int no_such_field); }
	probe c () { on perf hw cycles; else on perf sw page_faults; }
	probe d (int x) { on tp sched_switch (bool a, struct task_struct *prev) { x = prev->no_such_member; } }
	probe e (bufinfo_t *b) { on tp sched_process_exec (struct task_struct *t) { b = xlate <bufinfo_t *>(t); } }
	probe f () { on func no_such_function (); else on func vfs_rea[d] (); }
	probe g () { on tp sched_switch () if config(SMP) && config(CONFIG_SMP) && arch(x86_64) && hastp(sched_switch, 4) && has(struct rq); }
	probe i () { on func vfs_read (struct inode *f); else on func vfs_read return (struct file *f, void *buffer) = n; }
	probe j () { on func vfs_read (long f); else on func vfs_read (struct no_such_struct *f); else on func vfs_read (void *f); }
	probe k () { on tp sched_switch (bool a, struct rq *prev); else on tp sched_switch (struct task_struct *a); }
	probe h () { on tp sched_switch () if config(NO_SUCH_OPTION) || arch(aarch64); }
}
END
echo "== mine"
"$DTRACE" -xprovcheck=6.1-x86_64 -xprovdir=mine >out 2>&1
echo "status $?"
grep -e '^io:' -e '^dtrace:' out
"$DTRACE" -xprovcheck=mine
echo "status $?"
# Registers of guests: segments are AMD's, whose types these kernels show.
mkdir vm
cat >vm/vm.prov <<'END'
provider vm {
	probe a (uint64_t x) { on tp kvm_entry (struct kvm_vcpu *v) { x = vmregs[R_RIP] + vmregs[VMX_GUEST_DR7]; } }
	probe b (uint64_t x) { on tp kvm_entry (struct kvm_vcpu *v) { x = vmregs[VMX_GUEST_CS_LIMIT] + vmregs[VMX_GUEST_CS_AR_BYTES]; } }
	probe c (uint64_t x) { on tp kvm_entry (struct kvm_vcpu *v) { x = vmregs[VMX_EXIT_REASON] + vmregs[VMX_HOST_RIP]; } }
}
END
for kernel in 6.1-x86_64 6.12-x86_64; do
	echo "== guests on $kernel"
	"$DTRACE" -xprovcheck="$kernel" -xprovdir=vm 2>&1 | grep '^vm:\|vm.prov'
done
mkdir -p other/btf
cp 6.1-x86_64/btf/vmlinux other/btf
echo pdp11 >other/arch
"$DTRACE" -xprovcheck=other
echo "status $?"
head -c 100000 6.1-x86_64/btf/vmlinux >other/btf/vmlinux
echo x86_64 >other/arch
"$DTRACE" -xprovcheck=other
echo "status $?"
