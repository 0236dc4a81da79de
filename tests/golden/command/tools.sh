# What: -s with a name without a slash finds a tool, with or without .d; a file here comes first; -x tooldir= and the message
# for a name that does not exist.
mkdir mine here
echo 'BEGIN { trace("mine"); exit(0); }' >mine/probe.d
echo 'BEGIN { trace($$1); trace($target); exit(0); }' >mine/words.d
run() {
	"$DTRACE" -x executor=interpreter -q -x tooldir="$PWD/mine" "$@" 2>&1 | sed "s,$PWD,HERE,g; s,in HERE/mine.*,in HERE/mine ...,"
}
run -s probe
run -s probe.d
(cd here && run -s ../mine/words.d first)
run -s words first
run -x defaultargs -s words
echo 'BEGIN { trace("here"); exit(0); }' >probe.d
run -s probe.d
run -s probe
run -s ./probe
run -s prober
run -s prober.d
run -s ''
mkdir words folder # a directory is no script
run -s words first
run -s folder
"$DTRACE" -x executor=interpreter -s prober 2>&1 | grep -c 'no tool of that name in /etc/dtrace/toolkit, /.*/toolkit$'
"$DTRACE" -e -s execsnoop 2>&1
# After a mistake in its arguments a tool says how it is used.
cat >mine/used.d <<'E2'
/*
 * used - shows a number
 *
 * Usage: [-p PID] NUMBER
 */
BEGIN { trace($1); exit(0); }
E2
run -s used
run -s used word
run -s mine/used.d
# Options after -s, as a #! line may have them.
run -s '-x' used
run -s ' -q' used
