# What: -Z that waits for probes which a program has only if it was built with them: the option of its build is named, once.  Executors: kernel process.
. "$LIB"
trace -Z -n 'nosuch$target:::, perl$target:::a, perl$target:::b { @ = count(); }' -c true
same "$status" 0 status
wanted='dtrace: warning: line 1: there is no probe of perlN yet: perl has them if it was built with -Dusedtrace'
case $DTRACE in
*/process/dtrace)
	wanted="$wanted
dtrace: nosuchN::: matches nothing yet: the process shows probes of libraries that it loads, not those that it creates itself (-x executor=kernel can trace them)"
	;;
esac
same "$(sed 's/perl[0-9]*/perlN/; s/nosuch[0-9]*/nosuchN/' err)" "$wanted" message
