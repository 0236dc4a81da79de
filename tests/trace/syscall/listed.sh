# What: -l of a pattern lists no calls that only 32-bit programs can make; their names and patterns that mean only such do.  Needs: x86_64.
. "$LIB"
"$DTRACE" -l >everything 2>err || fail "status $?"
"$DTRACE" -ln 'syscall:::entry' >calls 2>>err || fail "status $?"
"$DTRACE" -ln 'syscall::*stat*:entry' >some 2>>err || fail "status $?"
[ -s err ] && fail "something on standard error"
for file in everything calls some; do
	contains ' syscall .* newfstatat entry' $file
	grep -E ' (stat64|fstatat64|socketcall) ' $file && fail "a 32-bit call in $file"
done
for name in stat64 'stat6*' fstatat64; do
	"$DTRACE" -ln "syscall::$name:entry" >out 2>err || fail "status $?"
	contains 'stat64 \|fstatat64 '
done
# They can be traced as before.
trace -n 'syscall::stat64:entry { @ = count(); } BEGIN { exit(0); }'
same "$status" 0 "status of a named call"
