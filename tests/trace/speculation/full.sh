# What: specsize limits a speculation; clauses whose records do not fit are reported, and not run.
. "$LIB"
trace -x specsize=1k -n 'BEGIN { s = speculation(); }
	syscall::getppid:entry /pid == $target/ { fired++; }
	syscall::getppid:entry /pid == $target/ { speculate(s); ran++; printf("r %d\n", ran); }
	END { commit(s); }
	END { printf("%d fired, %d ran\n", fired, ran); }' -c "$TRIGGERS/burst 1000"
same "$status" 0 status
printed=$(grep -c '^r ' out)
# a record of one number: 24 bytes of header, 8 of data, 8 of its size
same "$printed" $((1024 / 40)) printed
contains "^1000 fired, $printed ran\$"
same "$(sed -n 's/^dtrace: \([0-9]*\) speculative drops$/\1/p' err | awk '{ n += $1 } END { print n }')" $((1000 - printed)) drops
