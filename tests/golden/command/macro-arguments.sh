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
# The type of a number is the first that holds it, its sign included.
for number in 5 +5 -5 010 0x10 -0x10 2147483648 -2147483648 -2147483649 0x80000000 -0x80000000 \
	9223372036854775807 -9223372036854775808 9223372036854775808 -0x8000000000000000; do
	echo "$number is $("$DTRACE" -e -x dump=typed -n 'BEGIN { trace($1); }' -- "$number" 2>&1 |
		sed -n 's/.*trace(\(.*\))/\1/p')"
done
