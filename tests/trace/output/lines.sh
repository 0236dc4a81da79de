# What: the header, and which clauses print a line: in default mode, quiet, with flowindent, and when setopt() changes them.
. "$LIB"
# lines OPTION... - what is printed; CPUs and blanks at ends of lines made equal
lines() {
	"$DTRACE" "$@" 2>err | sed -E 's/(^2?) [ 0-9][0-9]( {6}[12] )/\1  C\2/; s/ [ 0-9][0-9] \|/  C |/g; s/ *$//' >got
}
wanted() {
	cat >wanted
	diff wanted got || fail "$1"
}
lines -n 'BEGIN { trace(42); trace("hi"); } BEGIN { exit(0); } END { trace("x"); printf("y"); }'
wanted "the header comes once" <<'T'
CPU     ID                    FUNCTION:NAME
  C      1                           :BEGIN          42  hi
  C      1                           :BEGIN
  C      2                             :END   x                                y

T
lines -n 'BEGIN { trace(1); } BEGIN { setopt("quiet"); } BEGIN { trace(2); } BEGIN { setopt("quiet", "0"); } BEGIN { trace(3); exit(0); }'
wanted "quiet in between" <<'T'
CPU     ID                    FUNCTION:NAME
  C      1                           :BEGIN           1
  C      1                           :BEGIN
2  C      1                           :BEGIN           3

T
lines -F -n 'BEGIN { trace(1); } BEGIN { trace(2); exit(0); }'
wanted "flowindent" <<'T'
CPU FUNCTION
  C | :BEGIN                                            1
  C | :BEGIN                                            2

T
lines -F -q -n 'BEGIN { trace(1); } BEGIN { trace(2); exit(0); }'
wanted "flowindent when quiet: the header, and no ends of lines" <<'T'
CPU FUNCTION
  C | :BEGIN                                  1  C | :BEGIN                                  2
T
# Most print nothing, but leave a line; commit(), discard(), assignments and aggregations do not.
lines -w -n 'BEGIN { s = speculation(); } BEGIN { discard(s); } BEGIN { commit(s); } BEGIN { @a = count(); }
	BEGIN { clear(@a); } BEGIN { trunc(@a); } BEGIN { normalize(@a, 2); } BEGIN { denormalize(@a); }
	BEGIN { setopt("aggrate", "1s"); } BEGIN { ftruncate(); } BEGIN { system("true"); } BEGIN { freopen(""); } BEGIN { exit(0); }'
same "$(grep -c '^  C      1                           :BEGIN$' got)" 9 "lines of clauses without data"
must_trace -w -n 'BEGIN { @a = count(); } BEGIN { clear(@a); } BEGIN { setopt("aggrate", "1s"); } BEGIN { system("true"); } BEGIN { trunc(@a); exit(0); }'
same "$(wc -c <out)" 1 "bytes when quiet: the line between the records and the end"

must_trace -x rawbytes -x strsize=16 -n 'BEGIN { trace(7); trace("abc"); printf("%s\n", "text"); exit(0); }'
same "$(sed '/^ *0  1  2/d; s/ *$//' out | tr -s ' ' | tr '\n' '/')" "7/ 0: 61 62 63$(printf ' 00%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13) abc............./ 10: 00 ./text//" "rawbytes: all bytes of a string, numbers and printf() as ever"
