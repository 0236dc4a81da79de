# What: the reader of the output goes away while the probes of a provider fire, each provider in turn: dtrace ends by SIGPIPE and silently,
# and so does its child.  Needs: btf.
. "$LIB"
. "$checkout/tests/trace/ends/each"
close_pipe() {
	{
		"$DTRACE" -qn "BEGIN { printf(\"%d\\n\", \$target); } $2 /target/ { printf(\"fired %s\\n\", probename); }" -c "$3" 2>err
		echo $? >status
	} | head -n 2 >out
	contains '^fired'
	same "$(cat status)" 141 "status of $1"
	same "$(grep -v 'that a pattern matches are left out' err)" "" "messages of $1"
	until_true 10 gone "$(head -n 1 out)" || fail "$1: the child goes on"
}
for_each close_pipe
