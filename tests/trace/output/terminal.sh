# What: control characters in names and strings do not reach a terminal raw, nor newlines in lines with our layout; with -x rawterminal they do. Needs: python3.
. "$LIB"
export NO_COLOR=1
on_terminal() {
	terminal 0 "$@" || fail "status $?"
}
esc=$(printf '\033')
name=$(printf 'ev\033[31mil\nname')
mkdir bin && cp "$(command -v sleep)" "bin/$name"
program='BEGIN { self->s = strjoin("x", "\033[2Jy\n\x9b\303\244"); printf("%s|%10s|", self->s, self->s); printf("\033[1m"); trace(self->s); exit(0); }'
on_terminal -qn "$program"
grep -q "^x.033\[2Jy\$" out || fail "ESC in a string"
grep -q '^.233ä|' out || fail "a byte that is not UTF-8, and one that is"
grep -q "$esc\[1m" out || fail "what the script itself spells out"
on_terminal -x rawterminal -qn "$program"
grep -q "^x$esc\[2Jy\$" out || fail "-x rawterminal"
trace -n "$program"
grep -q "^x$esc\[2Jy\$" out || fail "output to a file"

# Columns: keys, the default prefix, symbols; and messages.
on_terminal -n 'syscall::clock_nanosleep:entry /pid == $target/ { @[execname] = count(); @u[umod(ucaller)] = count(); trace(execname); }' -c "'bin/$name' 0.01"
grep -q "$esc" out && fail "ESC reached the terminal"
[ "$(grep -c '  ev.033\[31mil.nname  ' out)" -ge 2 ] || fail "the columns are not as they should be"
trace -n 'syscall::clock_nanosleep:entry /pid == $target/ { @[execname] = count(); }' -c "'bin/$name' 0.01"
grep -q "^  ev$esc\[31mil.nname  *1\$" out || fail "to a file"

# The name before a message has a colour: red for an error, yellow for a loss.
unset NO_COLOR
export TERM=xterm
on_terminal -qn 'BEGIN { trace(1 / (pid - pid)); } BEGIN { exit(0); }'
grep -q "^$esc\[1;31mdtrace$esc\[0m: error on enabled probe ID 1 " out || fail "an error is not red"
on_terminal -qx nspec=1 -n 'BEGIN { speculation(); speculation(); exit(0); }'
grep -q "^$esc\[1;33mdtrace$esc\[0m: 1 failed speculation" out || fail "a loss is not yellow"
