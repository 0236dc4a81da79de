# What: hosts that fail are named with their transport's words, equal ones once; those that answer make the answer; the status is 3.
. "$LIB"
path="env PATH=${DTRACE%/*}:$PATH"
via="$path H={}"
program='BEGIN { @ = sum(3); exit(0); }'

# One message for a mistake on all hosts; nothing is traced.
trace --on a,b,c -x via="$via" -n 'BEGIN { nosuch(); }'
same "$status" 1 "a mistake"
contains '^dtrace: on 3 of 3 hosts: invalid probe specifier' err
same "$(grep -c nosuch err)" 2 "lines with the mistake"
contains '^dtrace: no host is ready$' err

# Transports that fail: the line they print; the others answer.
trace --on a,b,c -x via="sh -c 'test {} = b && echo no route to {} >&2 && exit 255; exec $path dtrace --agent' x" -n "$program"
same "$status" 3 "one without a transport"
contains '^dtrace: b: no route to b$' err
contains '^b .* failed$' err
contains '^ *6$'
for need in all 3 90%; do
	trace --on a,b,c -x onneed=$need -x via="sh -c 'test {} = b && exit 255; exec $path dtrace --agent' x" -n "$program"
	same "$status" 1 "onneed=$need"
	contains "2 of 3 hosts are ready, and -x onneed=$need: nothing is traced" err
done
trace --on a,b -x onneed=most -x via="$via" -n "$program"
contains 'onneed=most: all, a number of hosts, or a share' err

# Banners before the greeting are skipped; what is no agent is shown; one that never answers is left out.
trace --on a -x via="sh -c 'echo Welcome to {}; cat /etc/passwd; exec $path dtrace --agent' x" -n "$program"
same "$status$(cat err)" 0 "a banner"
trace --on a -x via="yes hello {} #" -n "$program"
same "$status" 1 "no agent"
contains 'no agent answers, but this: hello a' err
trace --on a,b -x onwait=300ms -x via="sh -c 'test {} = a && exec sleep 5; exec $path dtrace --agent' x" -n "$program"
same "$status" 3 "one that never answers"
contains '^dtrace: a: it was not ready within' err
contains '^ *3$'
trace --on a -x via="printf 'dtrace-agent 999 of the future\n' #{}" -n "$program"
contains 'its dtrace speaks version 999 of the frames' err
trace --on a -x via="sh -c 'printf \"dtrace-agent 1 x\n\"; head -c 100000 /dev/urandom' {}" -n "$program"
same "$status" 1 "random bytes"
contains '^dtrace: a: ' err

# A host is lost while it traces: what it has counted stays.
mkdir pids
background --on a,b -x via="exec sh -c 'echo \$\$ >pids/{}; exec $path dtrace --agent' x" -n 'BEGIN { n = 0; } tick-10ms { @[host] = count(); n++; } tick-10ms /n == 250 && host == "a"/ { exit(0); }'
until_true 10 test -s pids/b
sleep 1.6
kill -KILL "$(cat pids/b)"
wait "$pid"
same "$?" 3 "one is killed"
contains '^dtrace: b: its transport was killed by SIGKILL$' err
contains '^b .*lost until [0-9:]*: its transport was killed' err
awk '$1 == "a" { a = $2 } $1 == "b" { b = $2 } END { exit a < 249 || b < 50 || b > 249 }' out || fail "counts of both"

# Control characters of a host do not reach the terminal.
terminal 80 -q --on a -x via="sh -c 'printf \"\033[2Jname\n\" >&2; exit 1' x {}" -n "$program"
grep -q "$(printf '\033\\[2J')" out && fail "an escape sequence"
contains 'name$'
