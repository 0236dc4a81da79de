# What: sizes and rates that are not possible are lowered, and reported once; with bufresize=manual they end the run.
. "$LIB"
timer='tick-10ms { printf("on\n"); exit(0); }'
speculating='BEGIN { s = speculation(); } BEGIN { speculate(s); trace(1); } tick-10ms { exit(0); }'
told() { # told TEXT OPTION... PROGRAM: the program goes on
	text=$1
	shift
	trace "$@"
	same "$status" 0 "status of $*"
	contains "^dtrace: $text\$" err
	same "$(wc -l <err)" 1 "messages of $*"
	trace -x quietresize "$@"
	same "$status $(cat err)" "0 " "with quietresize, $*"
}
refused() { # refused TEXT OPTION... PROGRAM: with bufresize=manual
	text=$1
	shift
	trace -x bufresize=manual "$@"
	same "$status" 1 "status of $*"
	contains "$text" err
}
told "option strsize lowered to 64k, the maximum" -x strsize=1m -n "$timer"
told "option strsize raised to 2 bytes, the minimum" -x strsize=1 -n "$timer"
told "option stackframes lowered to 8192, the maximum" -x stackframes=8193 -n "$timer"
told "status rate increased to once every 10 seconds" -x statusrate=1h -n "$timer"
told "status rate reduced to 1000 hz" -x statusrate=1us -n "$timer"
must_trace -x strsize=1m -x strsize=64k -n "$timer" # the last one counts

told "speculation size lowered to 4032 bytes" -b 4k -x specsize=64k -n "$speculating"
refused "a speculation of specsize does not fit into a buffer of bufsize" -b 4k -x specsize=64k -n "$speculating"
must_trace -b 4k -x specsize=4k -x bufresize=manual -n "$speculating"
must_trace -b 4k -x bufresize=manual -n "$speculating"

refused "the kernel has no buffers of more than 1g" -b 2g -n "$timer"
# flight recorders are in one region of 256 MB
told "buffer size lowered to [0-9]*m" -b 512m -x bufpolicy=ring -n "$timer"
refused "are too much" -b 512m -x bufpolicy=ring -n "$timer"
refused "aggsize is too large for this kernel" -x aggsize=1t -n 'BEGIN { @[1] = count(); exit(0); }'
refused "dynvarsize is too large for this kernel" -x dynvarsize=1t -n 'BEGIN { a[1] = 1; exit(0); }'
# The empty table may have the 64th part of the memory: an element of 76 bytes needs 16 to 32 of it.
most=$(awk '$1 == "MemTotal:" { print int($2 * 1024 / 64 / 16 * 80) }' /proc/meminfo)
affordable() { # affordable OPTION PROGRAM
	trace -x "$1=1t" -n "$2"
	same "$status" 0 "status of $1"
	size=$(sed -n 's/^dtrace: .* size lowered to \([0-9]*[mg]\)$/\1/p' err)
	[ -n "$size" ] || fail "$1: no size"
	bytes=$(echo "$size" | sed 's/m/*1048576/; s/g/*1073741824/')
	[ "$(($bytes))" -le "$most" ] || fail "$1: $size is more than $most"
	must_trace -x "$1=$size" -n "$2"
	trace -x "$1=$((2 * $bytes))" -n "$2"
	contains " size lowered to $size$" err # twice as much is lowered to the same
}
affordable aggsize 'BEGIN { @[1] = count(); exit(0); }'
affordable dynvarsize 'BEGIN { a[1] = 1; exit(0); }'
told "aggregation size lowered to [0-9]*[mg]" -x aggsize=1t -n 'BEGIN { @[1] = count(); exit(0); }'
