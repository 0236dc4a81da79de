# What: more keys than aggsize holds: kept + reported as dropped = fired.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
trace -x aggsize=16k -n 'pid$target::some_function:entry { @[arg0] = count(); }' -c "$TRIGGERS/calls 20000"
same "$status" 0 status
kept=$(awk 'NF == 2 { n += $2 } END { print n + 0 }' out)
same $((kept + $(drops))) "$(counted some_function)" "kept and dropped"
of=CPU
[ "$EXECUTOR" = process ] && of=area
contains "aggregation drops\{0,1\} [oi]n $of [0-9]*$" err
