# What: names are recorded at every strsize: execname truncated to it, one next to another; the shortest probe name after all constants.
. "$LIB"
must_trace -x strsize=8 -n 'BEGIN { printf("%s %s", execname, execname); exit(0); }'
same "$(head -n 1 out)" "dtrace dtrace" "two names at strsize 8"
trace -x strsize=4 -n 'BEGIN { printf("%s %s", execname, execname); exit(0); }'
contains '^dtrace: 2 strings truncated' err
same "$(head -n 1 out)" "dtra dtra" "two names at strsize 4"
# A string of strsize bytes is complete in all kinds of memory; sizeof(string) is strsize.
trace -x strsize=5 -n 'BEGIN { s = strjoin("abc", "de"); a["x"] = strjoin("ab", "cde"); self->s = "abcde"; this->s = s;
	printf("%s %s %s %s %d ", s, a["x"], self->s, this->s, a["x"] == s); b["abcde"] = 1; b["abcdf"] = 2; printf("%d ", b["abcde"]);
	s = "abcdef"; printf("%s %d %d", s, sizeof(string), sizeof(s)); exit(0); }'
same "$(head -n 1 out)" "abcde abcde abcde abcde 1 1 abcde 5 5" "texts of strsize bytes"
contains '^dtrace: 1 string truncated' err
for size in 15 63 248 249 250 251 252 253 254 255 256 257; do
	must_trace -x strsize=$size -n 'BEGIN { x = probename; printf("%s", x); exit(0); }'
	same "$(head -n 1 out)" "BEGIN" "probename at strsize $size"
done
