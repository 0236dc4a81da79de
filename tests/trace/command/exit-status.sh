# What: exit(n) becomes the exit status, its low 8 bits; END runs after it.
. "$LIB"
trace -n 'BEGIN { exit(3); } END { printf("end\n"); }'
same "$status" 3 status
same "$(head -n 1 out)" end "END's output"
trace -n 'BEGIN { exit(258); }'
same "$status" 2 "low 8 bits"
