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
# Only the last argument must be used, be it in a description.
try -n 'BEGIN { trace($2); }' one 2
try -n '$1' BEGIN
try -n 'dtrace:::$1IN' BEG
try -n 'BEGIN /$1/ { }' 1
# An unknown name: the word was meant as a string.
try -n 'BEGIN /execname == $1 || execname == ${2}/ { }' sh bash
try -n 'BEGIN { /* $1 */ trace("$1"); }' one
# $0 is the script, or our own name.
"$DTRACE" -e -x dump=typed -n 'BEGIN { trace($0 == $$0); trace($0); }'
# The type of a number is the first that holds it, its sign included.
for number in 5 +5 -5 010 0x10 -0x10 2147483648 -2147483648 -2147483649 0x80000000 -0x80000000 \
	9223372036854775807 -9223372036854775808 9223372036854775808 -0x8000000000000000; do
	echo "$number is $("$DTRACE" -e -x dump=typed -n 'BEGIN { trace($1); }' -- "$number" 2>&1 |
		sed -n 's/.*trace(\(.*\))/\1/p')"
done
