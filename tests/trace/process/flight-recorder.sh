# What: -x bufpolicy=ring in the process saves the newest records of each thread, whole and in order, and END's, however it ends.
# Executors: usual (it names them).
. "$LIB"
cp "$TRIGGERS/fire" fire
script='BEGIN { printf("begin\n"); } pid$target:a.out:fired:entry { printf("r %d %d %s\n", arg0, arg1, copyinstr(arg2)); @[arg0] = count(); }
	END { printf("end\n"); printa("count %d %@d\n", @); }'
for how in exit abort kill; do
	for temporal in on off; do
		trace -x executor=process -x bufpolicy=ring -x temporal=$temporal -b 64k -qn "$script" -c "./fire 100000 3 $how"
		same "$status" 0 "status of $how"
		same "$(grep -c '^count [0-3] 100000$' out)" 4 "the aggregation of $how"
		# One area may serve several threads, one after the other: thread 0's records are there in any case.
		grep '^r' out | sort -s -n -k 2,2 | awk '
			NF != 4 || $4 != "text" { print "wrong: " $0; bad++ }
			NR > 1 && $2 == thread && $3 != last + 1 { print "order: " $0; bad++ }
			{ thread = $2; last = $3; n[$2]++; newest[$2] = $3 }
			END { for (t in n) if (newest[t] != 99999) { print "the newest of " t; bad++ }
				if (n[0] < 900) { print "few: " n[0]; bad++ }
				exit bad }' >result || fail "$how: $(cat result)"
		same "$(grep -v '^[rc]' out | tr -d '\n')" "beginend" "what is not of a thread"
	done
done
# Little: nothing is overwritten; nothing is lost in signal handlers that interrupt a firing (many-threads.sh).
trace -x executor=process -x bufpolicy=ring -qn "$script" -c './fire 2 1 exit'
same "$(grep -v '^count' out | tr -s '\n' ' ')" "begin r 1 0 text r 1 1 text r 0 0 text r 0 1 text end " records
same "$(cat err)" "" messages
