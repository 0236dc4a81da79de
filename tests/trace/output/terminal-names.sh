# What: whatever prints a foreign name on a terminal prints it without control characters: %c, %ws, print(), -S, -l, -v, -x dump, -B, JSON, mistakes, file names, arguments, options.  Needs: python3.
# Executors: kernel (its probes are of system calls).
. "$LIB"
export NO_COLOR=1
shown=0
# is_plain - nothing in ./out acts on a terminal
is_plain() {
	/usr/bin/python3 -c 'import re, sys; sys.exit(bool(re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", open("out", "rb").read().decode())))' 2>err
}
# on_terminal WANTED ARGUMENT... - nothing of what dtrace prints acts on the terminal, and WANTED is there
on_terminal() {
	wanted=$1
	shift
	terminal 0 "$@"
	is_plain || fail "raw: $*"
	grep -qF -- "$wanted" out || fail "no $wanted in the output of $*"
}
esc=$(printf '\033') c1=$(printf '\302\233') bad=$(printf '\233')
evil="a${esc}b${c1}c${bad}d"
seen='a\033b\302\233c\233d'
lines="$evil
e"

# A program whose names are foreign: its file, functions, variables, types and members.
/usr/bin/python3 - "$TRIGGERS/globals" "$lines" <<'P'
import os, sys
data = open(sys.argv[1], "rb").read()
for old, new in ((b"greeting", b"gr\x1bee\xc2\x9bg"), (b"take", b"t\nk\x1b"), (b"opaque", b"o\x1b[1mq"), (b"state", b"s\x1b\xc2\x9be"), (b"hidden", b"h\n\x9bden")):
    data = data.replace(b"\0" + old + b"\0", b"\0" + new + b"\0")
name = os.fsencode(sys.argv[2])
open(name, "wb").write(data)
os.chmod(name, 0o755)
P
t='pid$target:a.out:t*k*:entry'
on_terminal 't\nk\033' -ln "$t" -c "'./$lines'"
on_terminal 't\nk\033' -lvn "$t" -c "'./$lines'"
on_terminal 't\nk\033' -n "$t { ufunc(uregs[R_PC]); @[probefunc, probemod] = count(); ustack(); }" -c "'./$lines'"
on_terminal 't\nk\033' -FSn "$t { trace(probefunc); }" -c "'./$lines'"
on_terminal 't\nk\033' -Bn "$t { trace(probefunc); }" -c "'./$lines'"
on_terminal '\u009bc' -xoformat=json -n "syscall::exit_group:entry /pid == \$target/ { trace(\$\$1); }" -c "'./$lines'" "$evil"
for stage in ast typed plan asm; do
	on_terminal ':entry' -xdump=$stage -en "$t { trace(probefunc); } BEGIN { trace(\"$evil:entry\"); }" -c "'./$lines'"
done
on_terminal 'program for' -xdump=plan -xdebug -en "$t { trace(probefunc); }" -c "'./$lines'"
on_terminal 's\033\302\233e s\033\302\233e = BUSY' -n "$t { print(*(pid\`a.out\`item_t *)arg0); }" -c "'./$lines'"
on_terminal '.s\033\302\233e = (enum s\033\302\233e)BUSY' -n "$t { print((pid\`a.out\`item_t *)arg0); }" -c "'./$lines'"
on_terminal '|\033|\302\233|\033\302\233|' -qn "int w[3]; $t"' { this->c = w[0] = 27; w[1] = 0x9b; printf("|%c|%wc|%ws|", this->c, 0x9b, w); }' -c "'./$lines'"

# Mistakes: programs, scripts, included files, libraries.
on_terminal 'BEGIN { \302\233 }: in action' -n "BEGIN { $c1 }"
on_terminal 'BEGIN { \233 }: in action' -n "BEGIN { $bad }"
printf 'BEGIN { x }\n# 7 "%s"\nBEGIN { y }\n' "$evil" >"$lines.d"
on_terminal "$seen\\ne.d: line 1: x" -s "$lines.d"
on_terminal "\"$seen\", line 7: y" -s "$lines.d"
on_terminal "$seen\\ne.d: line 1: x" -Cs "$lines.d"
mkdir "$evil" && printf 'inline int a = ;\n' >"$evil/$evil.d"
on_terminal "$seen/$seen.d" -L "$evil" -en 'BEGIN { trace(a); }'

# The command line.
on_terminal "unrecognized option '--$seen'" "--$evil"
on_terminal "invalid option -- '\\033'" "-$esc"
on_terminal "option '--quiet' takes no argument" "--quiet=$evil"
on_terminal "$seen: Invalid option name" -x "$evil"
on_terminal "'$seen'" -x "strsize=$evil"
on_terminal "$seen" -qn 'inline string s = $$1; BEGIN { trace($$1); trace(s); printf("%s|%20s", $$1, s); print(s); exit(0); }' "$evil"
ln -s "$DTRACE" "$lines"dtrace
(
	DTRACE=./${lines}dtrace
	terminal 0 --help
	is_plain || fail "raw: the command's own name"
	terminal 0 -n 'BEGIN {'
	is_plain || fail "raw: the command's own name in a mistake"
) || exit 1

# The script's own escapes act; a quote in a script's name is no end of it.
terminal 0 -qn 'BEGIN { printf("\033[1m"); exit(0); }'
is_plain && fail "what the script spells out"
echo 'BEGIN { no_such_name }' >'a"b\c.d'
trace -Cs 'a"b\c.d'
contains '^dtrace: failed to compile script a"b.c.d: line 1: no_such_name is unknown$' err
