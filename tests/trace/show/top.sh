# What: tables on a terminal: keys, a resize, and the terminal as before after q, ^C, the reader's death, ours. Needs: tmux.
. "$LIB"
terminal=0
environment=
mux() { tmux -L "top$$-$terminal" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null' EXIT
screen() { mux capture-pane -p >screen; }
# shows PATTERN - is that on the screen now?
shows() { screen && grep -q -- "$1" screen; }
must_show() { until_true 20 shows "$1" || { cat screen; fail "not on the screen: $1"; }; }
must_hide() { until_true 20 hides "$1" || { cat screen; fail "still on the screen: $1"; }; }
hides() { ! shows "$1"; }
type_keys() { for key; do mux send-keys "$key"; done; }
# child_of PID NAME - its child of this name, in $child
child_of() {
	child=
	for each in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		[ "$(cat "/proc/$each/comm" 2>/dev/null)" = "$2" ] && child=$each
	done
	[ -n "$child" ]
}
# begin COLUMNS LINES - a shell on a terminal of this size
begin() {
	terminal=$((terminal + 1))
	rm -f size
	mux new-session -d -x "$1" -y "$2" "env -u NO_COLOR LANG=C.UTF-8 LC_ALL=C.UTF-8 PS1='shell> ' ENV= sh" || fail "no tmux"
	shell=$(mux list-panes -F '#{pane_pid}')
	must_show '^shell>'
	type_keys 'stty -a >before; stty size >size' Enter
	until_true 20 test -s size || fail "no size"
}
# top ARGUMENTS - dtrace runs there; its process is in $child
top() {
	cat >run <<SH
echo \$\$ >runs
trap : INT
$environment $DTRACE --top $1
echo "status=\$?"
SH
	rm -f after runs
	type_keys 'clear; sh ./run; stty -a >after; echo after' Enter
	until_true 20 test -s runs || fail "no shell"
	runs=$(cat runs)
	until_true 20 child_of "$runs" dtrace || fail "no dtrace"
	tracer=$child
}
# restored STATUS - the terminal is as before
restored() {
	must_show "^status=$1"
	must_show '^after'
	cmp before after || { diff before after; cat run screen; fail "other modes"; }
	same "$(mux display -p '#{alternate_on} #{cursor_flag}')" "0 1" "screen and cursor"
	gone "$tracer" || fail "dtrace is still there"
}
program="-n 'tick-10hz { @a[\"first\", (int)(n++ % 3)] = count(); @a[\"second\", 7] = count(); @b[\"one\"] = quantize(n); @b[\"one\"] = quantize(1000); } END { printf(\"the end\"); }'"

begin 80 24
same "$(cat size)" "24 80" "size"
top "$program"
must_show '^@a.* = count()  1 of 2  4 rows'
must_show '^second  *7  *[0-9][0-9]* '
must_show '^"first"  *(n++ % 3)  *count v  */s'
same "$(grep -c . screen)" 8 "lines of the screen" # title, subtitle, head, four rows, keys
# sorted by count, so the row that grows thrice as fast is the first
same "$(sed -n 4p screen | awk '{ print $1 }')" second "the first row"
type_keys r
must_show '^"first"  *(n++ % 3)  *count ^'
until_true 20 eval 'screen; [ "$(sed -n 7p screen | cut -d" " -f1)" = second ]' || fail "not reversed"
type_keys 1
must_show '^"first" v'
# fold: 4 rows are 2; and all again
type_keys r f
must_show 'folded to 1 key'
must_show '  2 rows'
type_keys f
must_show '  4 rows'
# filter
type_keys / S E C
must_show '/SEC_'
type_keys Enter
must_show '  1 row '
hides '^first' || fail "a row that the filter leaves out"
type_keys Escape
must_show '  4 rows'
# the other table, a row in full, back
type_keys Tab
must_show '^@b.* = quantize(.*)  2 of 2  1 row'
must_show '^"one" .* p50'
type_keys Down Enter
must_show '^ *512 \.\. 1023  *[0-9]* #'
must_show '^"one": one'
type_keys q
must_show '^@b.* = quantize('
# pause: nothing changes
type_keys ' '
must_show 'PAUSED'
sed -n '4,$p' screen >still
sleep 1.5
screen
same "$(sed -n '4,$p' screen)" "$(cat still)" "the screen during a pause"
type_keys ' '
until_true 20 eval '! shows PAUSED && [ "$(sed -n "4,\$p" screen)" != "$(cat still)" ]' || fail "it does not go on"
type_keys '?'
must_show 'Any key goes back'
type_keys x
must_hide 'Any key goes back'
# a resize: no line of the old screen is left
mux resize-window -x 200 -y 50
must_show '^@b'
until_true 20 eval 'screen; [ "$(sed -n 50p screen | grep -c "^q end")" = 1 ]' || { cat screen; fail "the last line of the larger screen"; }
same "$(grep -c '^q end' screen)" 1 "last lines"
mux resize-window -x 80 -y 24
until_true 20 eval 'screen; [ "$(sed -n 24p screen | grep -c "^q end")" = 1 ] && [ "$(grep -c . screen)" = 5 ]' || { cat screen; fail "the smaller screen"; }
type_keys q
restored 0
must_show '^the end$'

# ^C
top "$program"
must_show '^@a'
type_keys C-c
restored 0
must_show '^the end$'

# the reader is killed
top "$program"
must_show '^@a'
child_of "$tracer" top || fail "no reader"
kill -KILL "$child"
restored 1
must_show 'nothing is drawn: top was ended by SIGKILL'

# dtrace is killed
top "$program"
must_show '^@a'
child_of "$tracer" top || fail "no reader"
kill -KILL "$tracer"
until_true 20 gone "$child" || fail "the reader is still there"
must_show 'dtrace did not end properly'
type_keys 'stty -a >after; echo status=killed; echo after' Enter
restored killed

# a stopped reader: the second ^C ends it
top "$program"
must_show '^@a'
child_of "$tracer" top || fail "no reader"
kill -STOP "$child"
type_keys C-c
sleep 0.7
type_keys C-c
restored 1

# what a command and dtrace say: the last line, and all of it after the end; the command reads no keys
cat >says <<'C'
#!/bin/sh
echo "to output"; echo "to error" >&2; cat; echo "no keys"; sleep 60
C
chmod +x says
top "-c ./says -n 'tick-10hz { @ = count(); }'"
must_show '^no keys'
must_show '^@ = count()'
type_keys q
restored 0
for line in 'to output' 'to error' 'no keys'; do grep -q "^$line" screen || fail "not after the end: $line"; done
# the program ends it
top "-n 'tick-1s { exit(3); }'"
restored 3
mux kill-server

# a table that a tick prints; foreign bytes; text alone; no colours
begin 80 24
cat >bytes.d <<'D'
int n;
tick-5hz { @a[n % 2 ? "\033[31mred\007" : "\xff\xfe"] = count(); n++; printa(@a); clear(@a); printf("line %d\n", n); }
D
top "-s bytes.d"
must_show '?\[31mred?\|�\[31mred�'
must_show '^@a.* = count()  1 of 2'
type_keys Tab
must_show '^line [0-9]'
mux capture-pane -e -p | grep -q '\[3[0-7]m' || fail "no colour"
type_keys q
restored 0
environment='env NO_COLOR=1'
top "-n 'tick-10hz { printf(\"only text %d\\n\", n++); }'"
must_show '^only text 1'
mux capture-pane -e -p | grep '\[3[0-7]m' && fail "a colour in spite of NO_COLOR"
type_keys q
restored 0
mux kill-server

# an aggregation is in snapshots until a tick prints it
environment=
begin 80 24
top "-n 'tick-10hz { @r[\"x\"] = count(); @w[\"x\"] = sum(2); } tick-3s { printa(@r, @w); clear(@r); clear(@w); }'"
must_show '^@r.* 1 of 2'
must_show '^@r, @w  3 of 3'
must_show '^x  *[0-9][0-9]  *[0-9.]*  *[0-9]* '
type_keys q
restored 0
mux kill-server

# stopped by the terminal, and continued
environment=
begin 80 24
mux send-keys "exec env PS1='shell> ' ENV= sh -m" Enter
echo "exec $DTRACE --top -n 'tick-10hz { @ = count(); }'" >job
rm after
type_keys 'clear; sh ./job' Enter
until_true 20 child_of "$shell" dtrace || fail "no dtrace"
tracer=$child
for _ in 1 2 3 4 5 6 7 8 9 10; do
	must_show '^@ = count()'
	type_keys C-z
	must_show '^shell>'
	same "$(mux display -p '#{alternate_on}')" 0 "screen while it is stopped"
	type_keys 'clear; stty -a >after; fg' Enter
	must_show '^@ = count()'
	cmp before after || { diff before after; fail "other modes while it is stopped"; }
done
type_keys q
must_show '^shell>'
type_keys 'echo status=$?; stty -a >after; echo after' Enter
restored 0
mux kill-server

# no terminal
trace -x oformat=top -n 'BEGIN { exit(0); }'
same "$status" 1 "status without a terminal"
contains 'needs a terminal, and standard output is not one' err
trace --top -o file -n 'BEGIN { exit(0); }'
same "$status" 1 "status with -o"
contains 'is shown on the terminal: -o file would stay empty' err
[ ! -e file ] || fail "an empty file"
