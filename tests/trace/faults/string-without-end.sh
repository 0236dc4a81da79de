# What: a string that runs into absent memory: a fault, reported once per firing. Needs: uprobe.  Executors: kernel process.
. "$LIB"
trace -n 'pid$target::take:entry { printf("%s\n", copyinstr(arg0)); }' -c "$TRIGGERS/pointers endless 3"
same "$status" 0 status
same "$(grep -c 'invalid address' err)" 3 messages
must_trace -n 'pid$target::take:entry { printf("%s\n", copyinstr(arg0, 4)); }' -c "$TRIGGERS/pointers endless 1"
contains '^xxx'
