# What: -C, -D and -I act on scripts; line numbers hold.
. "$LIB"
mkdir inc
echo '#define FROM_FILE 2' >inc/numbers.h
cat >s.d <<'D'
#!/usr/sbin/dtrace -Cqs
#include <numbers.h>
BEGIN { printf("%d %d\n", ANSWER, FROM_FILE); exit(0); }
D
must_trace -C -D ANSWER=42 -I inc -s s.d
same "$(head -n 1 out)" "42 2" output
# cppargs holds words, on the command line and in the environment.
echo 'BEGIN { printf("%d %d %s", A, B, C); exit(0); }' >words.d
must_trace -C -x cppargs="-DA=1 -DB=2 '-DC=\"a b\"'" -s words.d
same "$(head -n 1 out)" "1 2 a b" "words of -x cppargs"
DTRACE_OPT_CPPARGS="-DA=3  -DB=4" must_trace -C -x cppargs='-DC=\"c\"' -s words.d
same "$(head -n 1 out)" "3 4 c" "words of DTRACE_OPT_CPPARGS"
echo 'BEGIN { mistake }' >>s.d
trace -C -D ANSWER=42 -I inc -s s.d
same "$status" 1 "status of a mistake"
contains 'line 4' err
