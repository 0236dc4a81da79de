# What: messages begin with the name that the command was called by, those about programs too.
ln -s "$DTRACE" asked
for words in '-n no-such-probe' '-x nothing' '-l -n no-such-probe' '-n BEGIN -p 0' '-V'; do
	# shellcheck disable=SC2086 # words
	./asked $words 2>&1 | grep asked
done
