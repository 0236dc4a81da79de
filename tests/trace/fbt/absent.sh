# What: with -Z functions that are not there are none, also where the kernel has no kprobes; without it the reason is said.
. "$LIB"
for provider in fbt rawfbt; do
	must_trace -Zn "$provider::no_such_function:entry, $provider:no_such_module:: { @ = count(); } BEGIN { printf(\"begins\n\"); exit(0); }"
	contains '^begins$'
	trace -n "$provider::no_such_function:entry, BEGIN { exit(0); }"
	same "$status" 1 "status without -Z"
	contains "there are no $provider probes: \|does not match any probes" err
done
trace -Zn 'fbt::no_such_function:entry { trace(args[0]); }'
same "$status" 1 "status of args[] without a type"
contains 'there is no probe here yet to give args\[\] a type (arg0 ... arg9 need none)' err
