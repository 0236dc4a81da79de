# What: exitsnoop shows how processes end: by status and by signal, and their age.  Needs: btf.
. "$LIB"
tool exitsnoop -c "$TRIGGERS/lives exit 4 kill 3 sleep 100"
same "$(grep -c ' lives  *[0-9]*\.[0-9]* status 3$' out)" 4 "exits"
awk '/ status 3$/ && $6 > child { child = $6 } / status 0$/ { parent = $6 } END { exit !(child < parent) }' out || fail "a child older than its parent"
same "$(grep -c ' lives .* SIGKILL$' out)" 3 "killed"
same "$(awk '/ status 0$/ && $6 >= 0.1' out | wc -l)" 1 "the first process, a tenth of a second old"
contains '^ *5 processes exited$'
contains '^ *3 processes killed$'
