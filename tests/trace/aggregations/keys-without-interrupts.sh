# What: twenty new keys in one firing of the scheduler, which no interrupt comes into, all find room.  Needs: btf
. "$LIB"
awk 'BEGIN { for (i = 1; i <= 20; i++) printf("@[%d] = count(); ", i) }' >keys
must_trace -n "rawtp:::sched_switch /!n/ { n = 1; $(cat keys) exit(0); } END { printa(\"key %d\\n\", @); }"
same "$(grep -c '^key ' out)" 20 "keys"
