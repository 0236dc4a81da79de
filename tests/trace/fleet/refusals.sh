# What: what --on and --agent refuse, each by its name; destructive actions need -w on both sides; where commands run.
. "$LIB"
via="env PATH=${DTRACE%/*}:$PATH H={}"
refuses() {
	text=$1
	shift
	trace "$@"
	same "$status" 1 "status of $*"
	grep -q -- "^dtrace: .*$text" err || fail "no '$text' after $*"
}
program='BEGIN { exit(0); }'
refuses 'cannot be used with --on yet: name processes by -x target' --on a -c true -n "$program"
refuses '-l, -e and -A' --on a -l
refuses 'names a twice' --on a,b,a -n "$program"
refuses "'' cannot be the name of a host" --on a,,b -n "$program"
refuses "'-oProxyCommand=x' cannot be the name of a host" --on -oProxyCommand=x -n "$program"
refuses 'no probes specified' --on a
refuses 'aggpercpu cannot be used with --on' --on a -x aggpercpu -n "$program"
refuses 'oformat=top cannot be used with --on yet' --on a -x oformat=top -n "$program"
refuses 'takes nothing but -w' --agent -n "$program"
refuses 'cannot open' --on-file nosuch -n "$program"
refuses 'stacks and symbols (stack)' --on a -x via="$via" -n 'tick-1s { stack(); }'

# A name is a word for the shell, whatever is in it.
trace --on 'a;touch owned' -x via="$via" -n 'BEGIN { printf("%s\n", host); exit(0); }'
same "$(sed '/^$/d' out)" 'a;touch owned' "a name with a semicolon"
[ ! -e owned ] || fail "the name was executed"

# -w is needed here, and for the agent.
refuses 'Destructive actions not allowed' --on a -x via="$via" -n 'BEGIN { system("true"); exit(0); }'
trace --on a -w -x via="sh -c 'exec env PATH=${DTRACE%/*}:\$PATH dtrace --agent' {} #" -n 'BEGIN { system("touch done"); exit(0); }'
contains 'destructive actions need dtrace --agent -w on the host' err
[ ! -e done ] || fail "it was carried out"
trace --on a,b -w -x via="$via" -n 'BEGIN { system("echo %s >>ran; echo said", host); exit(0); }'
same "$status" 0 "allowed by both"
same "$(sort ran | paste -sd' ')" "a b" "commands ran on each host, once"
contains '^dtrace: on 2 of 2 hosts: said$' err

# Hosts by a file, some with a transport of their own; standard input; this machine.
printf '# ours\na\n\nb env PATH=%s X={}\n' "${DTRACE%/*}:$PATH" >hosts
trace --on-file hosts -x via="$via" -n 'BEGIN { @[host] = count(); exit(0); }'
same "$(awk 'NF { print $1 }' out | sort | paste -sd' ')" "a b" "hosts of a file"
trace --on-file - -x via="$via" -n 'BEGIN { @[host] = count(); exit(0); }' <hosts
same "$(awk 'NF { print $1 }' out | sort | paste -sd' ')" "a b" "hosts of standard input"
trace --on . -n 'BEGIN { printf("%s\n", host); exit(4); }'
same "$status" 4 "exit()"
same "$(sed '/^$/d' out)" "$(uname -n)" "this machine"
trace -n 'BEGIN { printf("%s\n", host); exit(0); }'
same "$(sed '/^$/d' out)" "$(uname -n)" "D's host without --on"
trace -n 'BEGIN { host = 4; self->host = 3; printf("%d\n", host + self->host); exit(0); }'
same "$(sed '/^$/d' out)" 7 "a variable called host"

# An asker of another kind than ours: options that name files, programs and addresses are refused by the agent.
ask() {
	/usr/bin/python3 -c '
import struct, subprocess, sys
text = "dtrace-anonymous 1\noption " + sys.argv[2] + "\nname BEGIN\n\t{ exit(0); }\nend\n"
payload = struct.pack("<II", 0, 1) + b"h\0" + text.encode() + b"\0"
agent = subprocess.Popen([sys.argv[1], "--agent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
out, err = agent.communicate(struct.pack("<II", len(payload), 0) + payload, timeout=20)
sys.stdout.write(err.decode())
sys.exit(agent.returncode)' "$DTRACE" "$1" >out 2>err
}
for option in cpp cpppath=/bin/true "cppargs=-o owned" libdir=/tmp incdir=/tmp oformat=openmetrics listen=19555 "endpoint=http://127.0.0.1:1/" anon=run; do
	ask "$option" && fail "$option was taken"
	contains "-x ${option%%=*} cannot be set from another machine"
done
ask strsize=64 || fail "strsize was refused"
