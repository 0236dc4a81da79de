# What: what a command of -c and system() print is not among lines of JSON: it goes to standard error, with -o to standard output.
. "$LIB"
program='BEGIN { system("echo from system"); } syscall::exit_group:entry /pid == $target/ { @ = count(); }'
"$DTRACE" -wq -x oformat=json -n "$program" -c 'echo from command' >out 2>err || fail "status $?"
check_json
same "$(grep -c . out) $(sort err | tr '\n' ' ')" "4 from command from system " "lines, and the commands' output"
"$DTRACE" -wq -x oformat=json -o /dev/stdout -n "$program" -c 'echo from command' 2>err | cat >out
check_json
same "$(sort err | tr '\n' ' ')" "from command from system " "the same by -o /dev/stdout"
"$DTRACE" -wq -x oformat=json -o data -n "$program" -c 'echo from command' >out 2>err || fail "status $?"
same "$(sort out | tr '\n' ' ') $(cat err)" "from command from system  " "standard output, with -o"
"$DTRACE" -wq -n "$program" -c 'echo from command' >out 2>err || fail "status $?"
same "$(grep -c from out)" 2 "standard output, as text"
"$DTRACE" -wq -n "#pragma D option oformat=json
$program" -c 'echo from command' >out 2>err || fail "status $?"
contains 'give oformat by -x' err
