# What: the form of the output is the saved one: JSON that matches the schema. Needs: unshare jsonschema.
. "$LIB"
own_pins
commanded
trace -A -o saved -x oformat=json -n 'BEGIN { trace("begun"); } syscall::getppid:entry /pid == $1/ { @[execname] = count(); printf("%d\n", arg0); }' "$child"
trace -x anonfile=saved -x anon=run
same "$status" 0 "status of anon=run"
tell 5
must_trace -ae
check_json
contains 'begun'
contains 'commanded'
