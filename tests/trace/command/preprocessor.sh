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
echo 'BEGIN { mistake }' >>s.d
trace -C -D ANSWER=42 -I inc -s s.d
same "$status" 1 "status of a mistake"
contains 'line 4' err
