# What: whatever strsize is, names arrive: execname cut to it, one beside another; the shortest probe name behind all constants.
. "$LIB"
must_trace -x strsize=8 -n 'BEGIN { printf("%s %s", execname, execname); exit(0); }'
same "$(head -n 1 out)" "dtrace dtrace" "two names at strsize 8"
trace -x strsize=4 -n 'BEGIN { printf("%s %s", execname, execname); exit(0); }'
contains '^dtrace: 2 strings cut' err
same "$(head -n 1 out)" "dtra dtra" "two names at strsize 4"
for size in 15 63 248 249 250 251 252 253 254 255 256 257; do
	must_trace -x strsize=$size -n 'BEGIN { x = probename; printf("%s", x); exit(0); }'
	same "$(head -n 1 out)" "BEGIN" "probename at strsize $size"
done
