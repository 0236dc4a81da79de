# What: $1 is a number, $$2 a string, $0 the script; options joined or apart in the first line.
. "$LIB"
for options in -qs '-q -s'; do
	printf '#!%s %s\nBEGIN { printf("%%d %%s %%s\\n", $1 + 1, $$2, $$0); exit(0); }\n' "$DTRACE" "$options" >s.d
	chmod +x s.d
	./s.d 41 word >out 2>err || fail "status $? with $options"
	same "$(head -n 1 out)" "42 word ./s.d" "output with $options"
	[ -s err ] && fail "messages with $options"
done
# Options that the script declares: all words are its own.
printf '#!%s -qs\n#pragma D argument slower "-m MS" "longer" default 10\n#pragma D argument all "-q" "all"\nBEGIN { printf("%%d %%d %%s\\n", $slower, $all, $$1); exit(0); }\n' "$DTRACE" >s.d
./s.d -q -m 5 word >out 2>err || fail "status $? with options of the script"
same "$(head -n 1 out)" "5 1 word" "output with options of the script"
./s.d -m five >out 2>err
same $? 2 "status of a wrong option"
