# What: arguments of a script: none left over, none missing, text and numbers; -x argref and defaultargs.
try() {
	echo "$ dtrace $*"
	"$DTRACE" -e -x errtags "$@"
	echo "status $?"
}
printf 'BEGIN { trace($1 + 1); trace($$2); }\n' >two.d
try -s two.d 5 text
try -s two.d 5
try -s two.d 5 text more
try -x argref -s two.d 5 text more
try -x defaultargs -s two.d
try -s two.d 99999999999999999999 text
try -s two.d -- -9223372036854775809 text
try -s two.d -- -9223372036854775807 text
