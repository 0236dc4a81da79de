# What: addresses of one function or module are one key; uaddr() and stacks stay apart; aggsortkey and trunc() see the merged keys.  Needs: uprobe.
# Executors: kernel (its probes are of system calls).
. "$LIB"
must_trace -n 'pid$target:calls:some_function:entry, pid$target:calls:outer:entry, pid$target:calls:with_text:entry
{
	@sym["usym", usym(ucaller)] = count(); @func["ufunc", ufunc(ucaller)] = sum(1); @mod["umod", umod(ucaller)] = count();
	@addr["uaddr", uaddr(ucaller)] = count(); @stack[ustack(2)] = count(); @q["shape", usym(ucaller)] = quantize(ucaller & 0);
}' -c "$TRIGGERS/calls 100"
contains '^  usym  *calls`main  *300$'
contains '^  ufunc  *calls`main  *300$'
contains '^  umod  *calls  *300$'
same "$(grep -c '^  uaddr  *calls`main+0x[0-9a-f]*  *100$' out)" 3 "places in main"
same "$(grep -c '^              calls`main+0x' out)" 3 "stacks"
contains '^               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 300 '
# The kernel's: wherever a CPU is, it is in one module; each function is one row.
must_trace -n 'syscall::getppid:entry /pid == $target/ { @m["mod", mod(caller)] = count(); @f["func", func(caller)] = count(); @s["sym", sym(caller)] = count(); }' \
	-c "$TRIGGERS/syscalls 500"
contains '^  mod  *vmlinux  *500$'
same "$(awk '$1 == "func" { n++; sum += $NF } END { print n, sum }' out)" "$(awk '$1 == "sym" { n++; sum += $NF } END { print n, sum }' out)" "functions"
# trunc() takes merged keys as one.
must_trace -n 'pid$target:calls:some_function:entry, pid$target:calls:outer:entry, pid$target:calls:inner:entry
	{ @[usym(ucaller)] = count(); } END { trunc(@, 1); printa("%A %@d\n", @); }' -c "$TRIGGERS/calls 100"
same "$(sed '/^$/d' out)" 'calls`main 200' "the greatest"
