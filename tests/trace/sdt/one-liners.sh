# What: one-liners for interrupts: how many there are by device, how long their handlers take, who is interrupted; soft interrupts by kind.  Needs: btf.
. "$LIB"
# This machine's disk interrupts; where it does not, whatever interrupts.
child='dd if=/dev/zero of=file bs=4k count=200 oflag=dsync status=none'
# On aarch64 the kernel gets memory for keys by an interrupt that is traced, too: its own key may find none, which is reported.
trace_often -n 'sdt:::interrupt-start { @[stringof(args[0]->name)] = count(); @who[execname] = sum(1); } rawtp:irq::irq_handler_entry { @seen = count(); @who["seen"] = sum(-1); }
	END { printa("%s: %@d\n", @); printa("%@d seen\n", @seen); printa("who %s: %@d\n", @who); }' -c "$child"
seen=$(sed -n 's/ seen$//p' out)
[ -n "$seen" ] || skip "no device interrupts here"
devices=$(awk -F ': ' '!/^who/ { n += $2 } END { print n }' out)
[ "$devices" -le "$seen" ] && [ "$devices" -ge $((seen - missed)) ] || fail "$devices of $seen interrupts by device, $missed missed"
who=$(awk -F ': ' '/^who/ { n += $2 } END { print n }' out)
[ "${who#-}" -le "$missed" ] || fail "$who of $seen interrupts by program, $missed missed"
# Each handler that began while we trace is timed, once; on each CPU one may not be over at the end.
trace_often -n 'sdt:::interrupt-start { begun[cpu] = timestamp; @begun = count(); }
	sdt:::interrupt-complete /begun[cpu]/ { @[stringof(args[0]->name)] = quantize(timestamp - begun[cpu]); begun[cpu] = 0; }
	END { printa("%@d begun\n", @begun); printa(@); }' -c "$child"
begun=$(sed -n 's/ begun$//p' out)
timed=$(awk '$2 ~ /^\|/ { n += $NF } END { print n + 0 }' out)
[ "$timed" -le "$begun" ] && [ "$timed" -ge $((begun - $(nproc))) ] || fail "$timed of $begun handlers are timed"
awk '$2 ~ /^\|/ && $NF && ($1 < 0 || $1 > 10000000000) { exit 1 }' out || fail "the time of a handler"
must_trace -n 'sdt:::softirq-start { self->t = timestamp; } sdt:::softirq-complete /self->t/ { @[args[0]] = quantize(timestamp - self->t); self->t = 0; n++; }
	tick-100ms /n >= 10/ { exit(0); } tick-20s { exit(0); }'
awk '$2 ~ /^\|/ { n += $NF } END { exit !(n >= 10) }' out || fail "few soft interrupts"
