# What: the number of matched probes: counted by clause, the description without its clauses; silent when quiet.
. "$LIB"
printf 'BEGIN { exit(0); }\nBEGIN { }\nsyscall::no_such_call:entry { }\n' >script.d
said() { # said MESSAGE... - the notices of the last run, in order
	same "$(sed "s/^dtrace: //" err | tr '\n' ';')" "$1" notices
}
"$DTRACE" -n 'BEGIN { exit(0); }' -n 'BEGIN,END' -n 'BEGIN/1/' -n 'BEGIN;' >out 2>err || fail status
said "description 'BEGIN ' matched 1 probe;description 'BEGIN,END' matched 2 probes;description 'BEGIN' matched 1 probe;description 'BEGIN' matched 1 probe;"
"$DTRACE" -Z -s script.d -i '3 { }' >out 2>err || fail status
said "script 'script.d' matched 2 probes;description '3 ' matched 1 probe;"
"$DTRACE" -P dtrace -n 'BEGIN { exit(0); }' -w >out 2>err || fail status
said "description 'dtrace' matched 3 probes;description 'BEGIN ' matched 1 probe;allowing destructive actions;"
for quiet in -q -xquiet; do
	"$DTRACE" $quiet -w -n 'BEGIN { exit(0); }' >out 2>err || fail status
	said ""
done
# -Z: none matched, tracing continues until the command ends
"$DTRACE" -Z -n no_such_probe -c "$TRIGGERS/dies 1 0 0" >out 2>err || fail status
same "$(head -n 1 err)" "dtrace: description 'no_such_probe' matched 0 probes" "notice of none"
