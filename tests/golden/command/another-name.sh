# What: messages begin with the name that the command was called by, those about programs too.
ln -s "$DTRACE" asked
for words in '-n no_such_probe' '-x nothing' '-l -n no_such_probe' '-n BEGIN -p 0' '-V'; do
	# shellcheck disable=SC2086 # words
	./asked $words 2>&1 | grep asked
done
