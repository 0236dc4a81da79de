# What: exit(n) becomes the exit status, its low 8 bits; END runs after it.
. "$LIB"
trace -n 'BEGIN { exit(3); } END { printf("end\n"); }'
same "$status" 3 status
same "$(head -n 1 out)" end "END's output"
trace -n 'BEGIN { exit(258); }'
same "$status" 2 "low 8 bits"

# It prints nothing but its line; any integer will do; in ERROR, too.
for status_of in -1=255 256=0 0x100000007=7 "(char)300=44"; do
	trace -n "BEGIN { exit(${status_of%=*}); }"
	same "$status" "${status_of#*=}" "status of exit(${status_of%=*})"
done
trace -n 'BEGIN { x = *(int *)0; } ERROR { exit(4); }'
same "$status" 4 "status of ERROR"
trace -x temporal=no -n 'END { x = *(int *)0; } ERROR { exit(5); } BEGIN { if (pid) exit(0); else exit(1); }'
same "$status" 5 "status of END's ERROR"
"$DTRACE" -n 'BEGIN { exit(0); }' 2>err | sed -E 's/^ [ 0-9][0-9] /C /; s/ *$//' | tr '\n' '/' >out
same "$(cat out)" "CPU     ID                    FUNCTION:NAME/C      1                           :BEGIN//" "its line"
