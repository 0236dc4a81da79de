# What: a target that is killed: all its calls are recorded, its end is reported, status 0. Needs: uprobe.  Executors: kernel process.
. "$LIB"
for signal in 9:SIGKILL 11:SIGSEGV; do
	"$DTRACE" -o out -x quiet=0 -n 'pid$target::last_words:entry { @n["calls"] = count(); } END { trace("end"); }' \
		-c "$TRIGGERS/dies 1000 ${signal%:*}" >/dev/null 2>err
	same "$?" 0 "status with ${signal#*:}"
	same "$(value_of calls)" 1000 calls
	contains "^dtrace: pid [0-9]* terminated by ${signal#*:}$" err
	rm out
done
# Real-time signals have no names.
"$DTRACE" -o out -x quiet=0 -n 'BEGIN { trace("begun"); }' -c 'sh -c "kill -40 \$\$"' >/dev/null 2>err
contains "^dtrace: pid [0-9]* terminated by signal 40$" err
