# What: with _DTRACE_TESTING set, what differs from run to run is not printed.
. "$LIB"
_DTRACE_TESTING=1 "$DTRACE" -n 'BEGIN { trace(42); exit(0); }' >out 2>err
same "$(sed -n 1p out)" "                   FUNCTION:NAME" header
same "$(sed -n 2p out)" "                          :BEGIN          42" row
_DTRACE_TESTING=1 "$DTRACE" -F -n 'syscall::getppid: /pid == $target/ { trace(arg0); }' -c "$TRIGGERS/burst 1" >out 2>err
sed 's/ *$//' out >flow
same "$(sed -n 1p flow)" "FUNCTION" "header of -F"
same "$(sed -n '2,3s/[ 0-9-]*$//p' flow)" " => getppid
 <= getppid" "rows of -F"
