# What: on a terminal the name before a message is in colour: red of an error, bold of a note; not
# if the environment has NO_COLOR, or TERM=dumb.
see() { # ENVIRONMENT... - what a terminal gets
	env "$@" script -qec "\"$DTRACE\" -e -n 'BEGIN { y }'; \"$DTRACE\" -x executor=interpreter -n 'BEGIN { exit(0); }'" /dev/null | cat -v | grep '^[^ ]*dtrace'
}
see TERM=xterm
see TERM=xterm NO_COLOR=1
see TERM=xterm NO_COLOR=
see TERM=dumb
