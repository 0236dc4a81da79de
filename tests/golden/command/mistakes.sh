# What: what beginners type: the message says what to write instead.
mistake() {
	echo "$ dtrace $*"
	"$DTRACE" "$@" 2>&1 </dev/null | sed 's, in /[^ ]*\, [^ ]*,,' | head -n "${lines:-1}"
}
for program in 'BEGIN /execname = "cat"/ { }' 'BEGIN /pid = 3/ { }' 'BEGIN { pid++; }' 'BEGIN { int x = 1; }' 'BEGIN { char *s = "x"; }' \
	'BEGIN { let x = 1; }' 'BEGIN { x := 1; }' 'BEGIN { y = null; }' 'BEGIN { unroll(5) { } }' 'BEGIN { trace(arg11); }' \
	'BEGIN /execname == cat/ { }' 'BEGIN /execname == probefun/ { }' 'BEGIN /execname == comm/ { }' 'BEGIN { x = 1.5; }' \
	'BEGIN { @ = lquantize(1, 0, 1000000, 1); }' 'BEGIN { trace(sqrt(2)); }' 'BEGIN { echo("x"); }' 'BEGIN { nosuch(); }' \
	profile:::997hz sched:::switch dtrace:::nosuch 'probe begin { }' 'self->x = 1' uprobe:./go:work usdt:./go:x:y \
	'pid1:./go:work:entry' 'pid1:go:work(int):entry'; do
	mistake -en "$program"
done
# Of macOS, and a process that -x target does not give.
mistake -en mach_trap:::entry
mistake -en 'objc123:NSString:-length:entry'
mistake -x target=exec:/bin/true -en 'pid$target:libc.so.6:malloc:entry'
# A start that was not seen; and clauses that see to it, or set it themselves.
entry='tick-1s { self->t = timestamp; a[1] = timestamp; }'
mistake -en "$entry tick-2s { @ = quantize(timestamp - self->t); }"
mistake -en "$entry tick-2s /pid > 1/ { @ = quantize((timestamp - a[1]) / 1000); }"
for program in 'tick-2s /self->t/ { @ = quantize(timestamp - self->t); }' 'tick-2s { @ = quantize(self->t ? timestamp - self->t : 0); }' \
	'tick-2s { if (a[1]) trace(timestamp - a[1]); }' 'tick-1s { trace(timestamp - self->t); }' \
	'tick-2s { self->t = timestamp; trace(timestamp - self->t); }'; do
	mistake -en "$entry $program"
done
# Files that are not scripts, names of tools, options.
mistake -qs "$DTRACE" | sed 's,/[^ ]*/dtrace,/dtrace,g'
printf '\037\213\010\000 packed' >packed
mistake -s packed
mistake -s execsnop
printf '#include <stdio.h>\nint main(void) { return 0; }\n' >prog.c
lines=9
mistake -G -s prog.c
mistake -h -s prog.c
lines=3
mistake -n
mistake -s
mistake --bottom
mistake --versoin
mistake --json
mistake --switchrate=10ms
mistake -l 'syscall:::'
mistake -q --list 'syscall:::'
mistake -l -n dtrace:::nosuch
mistake -l -x oformat=html -n BEGIN
mistake -s execsnoop -- --help
yes 'if [ -f x ]; then' | head -n 30 >many.sh
"$DTRACE" -es many.sh 2>&1 | grep -c ': line '
"$DTRACE" -es many.sh 2>&1 | tail -n 1
# No shell reads -c.
for command in 'true | wc' 'true; true' 'true 2>/dev/null' "true '|' wc" 'true a&b' 'true ; true' \
	'true -exec true {} ;' 'true -exec true {} ; -ok true ; ; true'; do
	mistake -x executor=interpreter -qn 'BEGIN { exit(0); }' -c "$command"
done
