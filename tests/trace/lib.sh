# lib.sh - what the shell tests share: . "$LIB"
#
# $DTRACE, $TRIGGERS: the command and the programs to be traced; the current folder is
# empty and goes away afterwards.

# The sources: headers that tests compile with, tools.  Where the library of probes that programs create was built.
checkout=$(realpath "${LIB%/*}/../..")
usdt_library=${TRIGGERS%/*}/lib

fail() {
	echo "not as it should be: $*"
	for file in out err counts; do
		[ -s "$file" ] && echo "--- $file" && head -n 40 "$file"
	done
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

# has_feature NAME - has this kernel what `dtrace -V -v` calls so?
has_feature() {
	"$DTRACE" -V -v | grep -q "^Features:.* $1"
}

# trace ARGUMENT... - run dtrace quietly; output in ./out, messages in ./err, status in $status
trace() {
	TRIGGER_COUNTS=$PWD/counts "$DTRACE" -q "$@" >out 2>err
	status=$?
}

# terminal COLUMNS ARGUMENT... - run dtrace on a terminal as wide, 0: of unknown size; what that shows in ./out, with \n for \r\n; the
# status is dtrace's. Needs: python3.
terminal() {
	columns=$1
	shift
	/usr/bin/python3 -c '
import fcntl, os, pty, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)
data = b""
try:
    while True:
        data += os.read(fd, 65536)
except OSError:
    pass
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
open("out", "wb").write(data.replace(b"\r\n", b"\n"))
sys.exit(status)' "$columns" "$DTRACE" "$@"
}

# jump_of FILE FUNCTION - where the first jump of FUNCTION, which has one before any return, leads, as objdump shows it
jump_of() {
	objdump -d "$1" | awk -v name="<$2>:" '$2 == name { f = 1 } f && /\tret/ { exit } f && /\t(jmp|b)[ \t]/ { print $NF; exit }'
}

# tool NAME ARGUMENT... - must_trace of a tool, whose output begins as that of its example does; again, at most five times,
# where others made so many mappings that names of ended processes may be missing, or a firing met our own program, which dtrace
# reports. The command writes nothing.
tool() {
	for _ in 1 2 3 4 5; do
		trace -s "$@"
		grep -q 'mapped code faster than it could be read\|firings* missed: the program was already running' err || break
	done
	[ "$status" -eq 0 ] || fail "status $status"
	grep -qv '^dtrace: [0-9]* user stacks* shown without all callers \|firings* missed: the program was already running' err && fail "something on standard error"
	awk 'NR > 1 { print; exit }' "$checkout/toolkit/examples/$1.txt" >wanted
	head -n 1 out | cmp -s - wanted || fail "the output begins otherwise than the example: $(cat wanted)"
}

# tool_refuses LINE ARGUMENT... - a run of a tool (-s NAME) prints only this line, because of its arguments, with status 1
tool_refuses() {
	line=$1
	shift
	trace "$@"
	same "$status" 1 "status of $*"
	same "$(sed '/^$/d' out)" "$line" "output of $*"
	[ ! -s err ] || fail "something on standard error"
}

# tool_misused TEXT ARGUMENT... - a run of a tool (-s NAME) says so, prints how it is used, and starts nothing, with status 2
tool_misused() {
	text=$1
	shift
	trace "$@"
	same "$status" 2 "status of $*"
	same "$(head -n 1 err)" "dtrace: $text" "messages of $*"
	grep -q '^dtrace: usage: dtrace -s ' err || fail "no usage after $*"
	[ ! -s out ] || fail "output of $*: $(cat out)"
}

# disk SIZE - a loop device of so many bytes, $loop, with the name $name; it ends with the test
disk() {
	truncate -s "$1" image
	loop=$(losetup -f --show "$PWD/image" 2>err) || skip "no loop device: $(cat err)"
	trap 'losetup -d "$loop"' EXIT
	name=${loop#/dev/}
}

# sees_switches - skips the test where sched:::on-cpu fires before the switch
sees_switches() {
	"$DTRACE" -lvvn sched:::on-cpu >out 2>err || fail "$(cat err)"
	grep -q 'Note: after the switch' out || skip "neither the tracepoint sched_exit_tp nor kprobes"
}

# own_address - an address of the loopback network for this test, in $address
own_address() {
	address=127.$((1 + $$ / 60000 % 250)).$(($$ / 250 % 240)).$((1 + $$ % 250))
}

# gives_writes LOOP - does a process give what it writes to a loop device to the driver itself?  On some kernels one of the kernel's
# threads does (6.1).
gives_writes() {
	"$DTRACE" -qn "io:::start /pid == \$target && args[1]->dev_statname == \"${1#/dev/}\"/ { printf(\"given\n\"); }" \
		-c "/bin/dd if=/dev/zero of=$1 bs=4096 count=2 oflag=direct status=none" >out 2>err || fail "$(cat err)"
	[ "$(grep -c given out)" = 2 ]
}

# background ARGUMENT... - run dtrace quietly in the background; its number in $pid. A shell ignores SIGINT
# for such a process; dtrace would keep ignoring it, as it should. Output of an earlier one is gone when this returns.
background() {
	: >out 2>err
	TRIGGER_COUNTS=$PWD/counts env --default-signal=INT,QUIT "$DTRACE" -q "$@" >out 2>err &
	pid=$!
}

# interrupted - dtrace, number $pid, gets one more SIGINT; has it ended? With until_true: a second one counts half a
# second after the first.
interrupted() {
	kill -INT "$pid" 2>/dev/null
	gone "$pid"
}

# What kernels without uprobe_multi do with static probes of every process.
semaphores_first='^dtrace: semaphores of static probes were raised [0-9.]* ms before the probes were traced'

# must_trace ARGUMENT... - the same; status 0, and nothing is said, but of user stacks that libraries
# without frame pointers are in, and of semaphores
must_trace() {
	trace "$@"
	[ "$status" -eq 0 ] || fail "status $status"
	grep -qv "^dtrace: [0-9]* user stacks* shown without all callers \|$semaphores_first" err && fail "something on standard error"
	return 0
}

# must_trace_all ARGUMENT... - must_trace of static probes of every process: files of others with damaged notes may be reported
must_trace_all() {
	trace "$@"
	[ "$status" -eq 0 ] || fail "status $status"
	none_of_ours err || fail "something on standard error"
}

# none_of_ours FILE - nothing but such reports
none_of_ours() {
	! grep -qv "some static probe of .* cannot be probed: \|probes* that a pattern matches \(is\|are\) left out\|$semaphores_first" "$1"
}

# must_trace_arrivals ARGUMENT... - must_trace of a process that makes probes while it runs; again, at most five
# times, if dtrace had so little time that the process could not wait for it, which dtrace reports
must_trace_arrivals() {
	for _ in 1 2 3 4 5; do
		trace "$@"
		grep -q 'could not wait for probes of libraries' err || break
	done
	[ "$status" -eq 0 ] || fail "status $status"
	grep -qv "$semaphores_first" err && fail "something on standard error"
	return 0
}

# trace_often ARGUMENT... - trace of events that may happen inside of our own programs (locks): again, at most five times, if
# such firings were missed, or there was no memory for a key, which dtrace reports; in $missed how many were in the last run
trace_often() {
	for _ in 1 2 3 4 5; do
		trace "$@"
		[ "$status" -eq 0 ] || fail "status $status"
		grep -qv 'firings* missed: the program was already running on that CPU$\|aggregation drops* on CPU' err && fail "something on standard error"
		missed=$(sed 's/^dtrace: \([0-9]*\) .*/\1/' err | awk '{ sum += $1 } END { print sum + 0 }')
		[ "$missed" -gt 0 ] || break
	done
}

# on_each_cpu COMMAND... - keep each CPU busy by it until the test ends, at most 60 s
on_each_cpu() {
	for cpu in $(seq 0 "$(($(getconf _NPROCESSORS_ONLN) - 1))"); do
		timeout 60 taskset -c "$cpu" "$@" >/dev/null 2>&1 &
		busy="$busy $!"
	done
	trap 'kill $busy' EXIT
}

# must_fault ARGUMENT... - the same; status 0, and faults are reported, but nothing else
must_fault() {
	trace "$@"
	[ "$status" -eq 0 ] || fail "status $status"
	grep -q '^dtrace: .*error.* on enabled probe ID ' err || fail "no fault on standard error"
	grep -v '^dtrace: .*error.* on enabled probe ID ' err >more && fail "more than faults on standard error"
	return 0
}

# traces_all PATTERN - all its events at once start and end in time, many fire, and those left out are mentioned
traces_all() {
	begin=$(date +%s)
	"$DTRACE" -n "$1 { @[probename] = count(); } tick-1s { exit(0); }" >out 2>err || fail "status $?: $(cat err)"
	took=$(($(date +%s) - begin))
	[ "$took" -le 60 ] || fail "all of $1 took $took seconds"
	[ "$(grep -c . out)" -ge 20 ] || fail "only $(grep -c . out) of $1 fired"
	contains '^ *sched_switch '
	grep -q 'left out' err || fail "nothing is said of those left out"
}

# counted NAME - the trigger's own count
counted() {
	awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }' counts
}

# column KEY FILE - the number after KEY at a line's end
value_of() {
	awk -v key="$1" '$1 == key { n = $NF } END { print n + 0 }' "${2:-out}"
}

same() {
	[ "$1" = "$2" ] || fail "$3: '$1', wanted '$2'"
}

contains() {
	grep -q -e "$1" "${2:-out}" || fail "no line like '$1' in ${2:-out}"
}

# drops FILE - all that were reported as lost, of any kind
drops() {
	sed -n 's/^dtrace: \([0-9]*\) .*drops\{0,1\}\( on CPU [0-9]*\| in area [0-9]*\)\{0,1\}$/\1/p' "${1:-err}" |
		awk '{ n += $1 } END { print n + 0 }'
}

# until_true SECONDS COMMAND... - ask again and again; fails when the time is over: six times the
# seconds that a quiet machine may need, for others may be at work here
until_true() {
	tries=$(($1 * 300))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.02
	done
}

# gone PID - no such process (a zombie counts as gone)
gone() {
	case $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) in
	'' | Z | X) return 0 ;;
	esac
	return 1
}

# cores_here - what crashes from now on leaves ./core; the test is skipped where that cannot be had
cores_here() {
	case $(cat /proc/sys/kernel/core_pattern) in
	core) ;;
	*) skip "cores are not written to the folder: /proc/sys/kernel/core_pattern" ;;
	esac
	ulimit -c unlimited 2>/dev/null || skip "ulimit -c cannot be raised"
	[ "$(cat /proc/sys/kernel/core_uses_pid)" = 0 ] || skip "core_uses_pid is set"
}

# text_is_clean PID - does its code equal its files, so that no breakpoint is left in it? If not, ./why has the reason. Needs python3.
text_is_clean() {
	python3 - "$1" 2>why <<'PY'
import sys
pid = int(sys.argv[1])
with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as mem:
    for line in maps:
        words = line.split()
        if "x" not in words[1] or len(words) < 6 or not words[5].startswith("/"):
            continue
        start, end = (int(x, 16) for x in words[0].split("-"))
        mem.seek(start)
        with open(f"/proc/{pid}/root{words[5]}", "rb") as file:
            file.seek(int(words[2], 16))
            ours = file.read(end - start)
        if mem.read(end - start)[:len(ours)] != ours:
            sys.exit(f"the text of {words[5]} differs from its file")
PY
}

# has_executed PID NAME - it is the program NAME, with its C library, not the shell that starts it
has_executed() {
	grep -q "/$2\$" "/proc/$1/maps" 2>/dev/null && grep -q '/libc\.so' "/proc/$1/maps"
}

# wait_for_program PID NAME - before dtrace gets a process that the test has just started
wait_for_program() {
	until_true 10 has_executed "$1" "$2" || fail "$2 was not executed"
}

# check_json [FILE] - every line matches the schema
check_json() {
	/usr/bin/python3 "$checkout/tools/check-json" "$checkout/docs/schema/dtrace-output.schema.json" "${1:-out}" ||
		fail "not as the schema says"
}

# build_usdt COMPILER PROGRAM SOURCE - a program that creates probes, with the library that was built
build_usdt() {
	"$1" -O1 -Wall -Wextra -Werror -I "$checkout/lib/usdt" -o "$2" "$3" -L "$usdt_library" -ldtrace-usdt -lpthread \
		-Wl,-rpath,"$usdt_library" || fail "cannot compile $3"
}

# own_pins - continue in a mount namespace with a separate BPF file system: pins that this test leaves end with its
# processes
own_pins() {
	[ -n "$OWN_PINS" ] || exec env OWN_PINS=1 unshare -m sh "$0"
	mount -t bpf bpf /sys/fs/bpf 2>/dev/null || skip "no BPF file system can be mounted"
}

# commanded - start the trigger that calls getppid when told; its number in $child, its ear is 9
commanded() {
	mkfifo ear
	TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/commanded" <ear &
	child=$!
	exec 9>ear
	told=0
	trap 'kill $child 2>/dev/null' EXIT
}

# tell N - let it call so often, and wait until it has
tell() {
	echo "$1" >&9
	told=$((told + $1))
	until_true 10 has_done || fail "the trigger has not called"
}

has_done() {
	[ "$(counted getppid 2>/dev/null)" -eq "$told" ]
}

# need_guest WHAT - a machine of make check-vm, whose root comes over 9p: the test WHAT, of the whole machine
need_guest() {
	grep -q ' 9p ' /proc/mounts || skip "$1: only in a machine of make check-vm"
}

# module find|load|unload|reload NAME [PARAMETER] - a module of this kernel
module() {
	/usr/bin/python3 "$checkout/tests/trace/fbt/module.py" "$@"
}

# need_zram SIZE - /dev/zram0 is a disk in memory, until `module unload zram`
need_zram() {
	module load zram
	status=$?
	[ "$status" -ne 77 ] || skip "there is no module zram"
	[ "$status" -eq 0 ] || fail "zram was not loaded"
	echo "$1" >/sys/block/zram0/disksize || fail "zram has no size"
}

# need_cgroups - control groups of version 2; $cgroups is the folder of the root
need_cgroups() {
	cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$cgroups" ] || skip "no cgroup2 is mounted"
}

# own_group - a control group (version 2) for this test: $group is its folder, $path its path. It is removed at the end, with
# all below
own_group() {
	need_cgroups
	path=/dtrace-test-$$
	group=$cgroups$path
	mkdir "$group" 2>/dev/null || skip "no cgroup can be made"
	trap 'until_true 2 no_group' EXIT
	export group
	cat >within <<'S'
# within GROUP COMMAND... - execute it in the control group, which is made below the test's
mkdir -p "$group/$1" && echo $$ >"$group/$1/cgroup.procs" || exit 1
shift
exec "$@"
S
}

# no_group - have all groups of the test been removed? Their processes have ended, or soon will have.
no_group() {
	find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
	[ ! -e "$group" ]
}

# postgresql_connect - a PostgreSQL server of our own and one connection to it: descriptor 3 takes its queries, ./answers gets the
# answers, $backend is the process that serves it. The server ends with the test.
postgresql_connect() {
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
	{ [ -x "$bin/postgres" ] && id postgres >/dev/null 2>&1; } || skip "no PostgreSQL is installed"
	readelf -SW "$bin/postgres" | grep -q stapsdt || skip "this PostgreSQL has no static probes"
	data=$(mktemp -d /tmp/dtrace-postgresql.XXXXXX) || fail "no folder"
	chown postgres "$data"
	trap 'as_postgres "$bin/pg_ctl" -D "$data/db" -m immediate stop >/dev/null 2>&1; rm -rf "$data"' EXIT
	as_postgres "$bin/initdb" -A trust -D "$data/db" >init 2>&1 || fail "no database: $(cat init)"
	as_postgres "$bin/pg_ctl" -w -D "$data/db" -o "-c listen_addresses='' -k $data" -l "$data/log" start >/dev/null ||
		fail "no server"
	mkfifo sql
	as_postgres "$bin/psql" -qAt postgres <sql >answers 2>&1 &
	exec 3>sql
	echo 'select pg_backend_pid();' >&3
	until_true 20 grep -qs '^[0-9]' answers || fail "no answer"
	backend=$(head -n 1 answers)
}

as_postgres() {
	setpriv --reuid postgres --regid postgres --clear-groups env PGHOST="$data" "$@"
}

# memory_group LIMIT - make a control group whose processes may have LIMIT bytes of memory, in $group until the test ends; the
# script ./inside runs dtrace in it: sh inside "$group" ARGUMENT...
memory_group() {
	for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		mkdir "$top/dtrace-test-$$" 2>/dev/null || continue
		group=$top/dtrace-test-$$
		for limit in "$group/memory.max" "$group/memory.limit_in_bytes"; do
			[ -w "$limit" ] && echo "$1" >"$limit" && break 2
		done
		rmdir "$group"
		group=
	done
	[ -n "$group" ] || skip "no control group for memory can be made here"
	trap 'until_true 5 rmdir "$group" 2>/dev/null' EXIT
	cat >inside <<'SH'
echo $$ >"$1/cgroup.procs" || exit 77
shift
exec "$DTRACE" "$@"
SH
}
