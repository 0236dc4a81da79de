# What: without privileges one message names the missing privilege and the remedy: for programs that the interpreter can run, that.
# -l does not report files of providers that the kernel's hidden addresses make wrong.  Needs: setpriv.
. "$LIB"
cp "$DTRACE" dtrace && chmod 755 dtrace
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all ./dtrace "$@" >out 2>err
	status=$?
}
as_nobody -q -n 'BEGIN { exit(0); }'
same "$status" 1 status
same "$(wc -l <err)" 1 "lines of message"
contains 'CAP_\|root' err
contains '(-x executor=interpreter runs this program without)$' err
as_nobody -q -n 'syscall:::entry { @ = count(); }'
same "$status" 1 "status of syscall"
contains 'CAP_\|root' err
grep interpreter err && fail "the interpreter has no system calls"
as_nobody -V
same "$status $(cat out)" "0 dtrace: D 2.0" "-V"
as_nobody -e -n 'BEGIN { trace(1); }'
same "$status" 0 "-e"
as_nobody -l -n 'syscall::read:'
same "$status" 0 "-l"
contains 'syscall.*read entry$'
as_nobody -l
same "$status" 0 "-l of all"
grep '^dtrace: provider file\|^dtrace: failed to compile' err && fail "-l reports files of providers"
exit 0
