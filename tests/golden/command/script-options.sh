# What: options that a script declares: after -- or, for tools and #! scripts, all words; what is left is $1; wrong ones are
# usage, status 2, before anything is started; --help.
mkdir mine
cat >mine/slow.d <<'E2'
/*
 * slow - shows its words
 *
 * Usage: [-p PID] [-m MS] [TEXT]
 */
#pragma D argument slower "-m, --slower MS" "only calls that take longer" default 10 from -5 to 1000
#pragma D argument all "-a" "all of them"
#pragma D argument who "-u NAME" "only this user" default root
#pragma D argument file "--file FILE" "only this file"
BEGIN
{
	printf("%d [%s] %d [%s] [%s] [%s] [%s]", $slower + 1, $$slower, $all, $$all, $$who, $$file, $$1);
	exit(0);
}
E2
run() {
	echo "$ dtrace $*"
	"$DTRACE" -x executor=interpreter -q -x tooldir="$PWD/mine" -x defaultargs "$@" >out 2>&1
	status=$?
	sed "s,$PWD,HERE,g" out
	echo "status $status"
}
run -s slow
run -s slow -m 5 -a word
run -s slow -am7 --file=x -u me word
run -s slow word --slower -5 --file ''
run -n '#pragma D argument n "-n N" "a number" default 1
	BEGIN { trace($n); exit(0); }' -- -n -9223372036854775808
run -s slow -a -- -m
run -s slow -- --slower=3
run -s slow -x strsize=3 -u abc word
for wrong in -m '-m x' '-m 1001' '-m 99999999999999999999' -z -q -az --fil --all=1 --slower; do
	run -s slow $wrong | sed '3,7d'
done
run -s slow --help
run -s slow -a one two
# A script's name with a slash: options follow --.
run -s mine/slow.d -- -m 4
run -s mine/slow.d -- --help
run -s mine/slow.d -a 2>&1 | head -3
{ echo '#!/usr/sbin/dtrace -qs'; cat mine/slow.d; } >program.d
run -s program.d -m 8 word
run -s program.d -- -m 8
run -s program.d --help
# An option of dtrace is the last word: its value is missing.
for wrong in -c '-m 8 word -p' '-a -x'; do
	run -s program.d $wrong | head -3
done
# -n programs have them, too; a process is not started for wrong words.
run -n '#pragma D argument n "-n N" "a number" default 1
	BEGIN { trace($n); exit(0); }' -- -n 7
run -n '#pragma D argument n "-n N" "a number" default 1
	BEGIN { trace($n); exit(0); }' -- -m 7
run -c 'touch started' -s slow -z >/dev/null
ls started 2>&1
# In descriptions, and as numbers of other forms.
run -n '#pragma D argument where "-w NAME" "a probe" default BEGIN
	dtrace:::$where { trace(probename); exit(0); }' -- -w BEGIN
run -s slow -m 0x10
# A library declares none.
mkdir lib
echo '#pragma D argument lib "-l" "no"
inline int one = 1;' >lib/lib.d
run -L lib -n 'BEGIN { trace(one); exit(0); }'
# Other pragmas are as without it.
run -n '#pragma D option strsize=3
#pragma D pair dtrace:::BEGIN dtrace:::END
#pragma D argument n "-n N" "a number" default 1
	BEGIN { trace($n); exit(0); }'
# what a preprocessor leaves: the lines' places in other files
printf '# 3 "foo"\n#pragma D argument slower "-m MS" "x" default 10\nBEGIN { trace($slower); exit(0); }\n' >marker.d
"$DTRACE" -x executor=interpreter -qs marker.d -- -m 4
echo
# Several programs: the words are those of the one that declares options; without words all have their defaults.
printf '#pragma D argument other "-o N" "x" default 3\nBEGIN { trace($other); }\n' >mine/second.d
run -n 'BEGIN { trace("first"); }' -s mine/slow.d -- -m 4 word
run -s mine/second.d -s mine/slow.d
run -s mine/second.d -s mine/slow.d -- -m 4
run -s mine/slow.d -n 'END { trace($$1); }' -- -m 4 word
run -n 'END { trace($$1); }' -s mine/slow.d -- -m 4 word
# without -x defaultargs there is no $1
"$DTRACE" -x executor=interpreter -qs mine/slow.d -n 'END { trace($$1); }' -- -m 4 word 2>&1
