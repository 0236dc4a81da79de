# What: more firings than the buffer and the reader of the output take, of each provider in turn: printed + reported as dropped = fired.
# Needs: btf.
. "$LIB"
. "$checkout/tests/trace/ends/each"
dropped=0
fill() {
	{
		"$DTRACE" -q -b 4k -n "$2 /target/ { @fired = count(); } $2 /target/ { printf(\"r %s %200s\\n\", probename, \"\"); }
			tick-1s { @fired = count(); } tick-1s { printf(\"r\\n\"); exit(0); } END { printa(\"fired %@d\\n\", @fired); }" -c "$3" 2>err
		echo $? >status
	} | {
		sleep 1
		cat
	} >out
	same "$(cat status)" 0 "status of $1"
	fired=$(sed -n 's/^fired //p' out)
	[ "$fired" -gt 1 ] || fail "$1 does not fire"
	same $(($(grep -c '^r' out) + $(drops))) "$fired" "printed and dropped of $1"
	dropped=$((dropped + ($(drops) > 0)))
}
for_each fill
[ "$dropped" -gt 0 ] || fail "nothing was dropped" # of most providers here, of three in an emulated machine
