# What: the report of -v, to the byte: for a description and a script, with -e, and -lv.
printf 'BEGIN { trace(1); }\nEND { trace(probefunc); }\n' >both.d
for words in "-v -e -n BEGIN" "-v -e -s both.d" "-l -v -n END"; do
	echo "$ $words"
	# shellcheck disable=SC2086 # words
	"$DTRACE" $words
	echo "status $?"
done
