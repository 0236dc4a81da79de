# What: options that are refused: which one and why, status 1; the environment's too.
try() {
	echo "$ dtrace $*"
	"$DTRACE" "$@"
	echo "status $?"
}
try -x bufsise=4m -n BEGIN
try -x nothing-like-it -n BEGIN
try -x bufsize -n BEGIN
try -x strsize=-1 -n BEGIN
try -b 4q -n BEGIN
try -X q -n BEGIN
try -x quiet=perhaps -n BEGIN
DTRACE_OPT_BUFSIZE=many
export DTRACE_OPT_BUFSIZE
try -n BEGIN
