# What: -Z that waits for probes which a program has only if it was built with them: the option of its build is named, once.  Executors: kernel process.
. "$LIB"
trace -Z -n 'nosuch$target:::, perl$target:::a, perl$target:::b { @ = count(); }' -c true
same "$status" 0 status
same "$(sed '/matches nothing yet/d; s/perl[0-9]*/perlN/' err)" 'dtrace: warning: line 1: there is no probe of perlN yet: perl has them if it was built with -Dusedtrace' message
