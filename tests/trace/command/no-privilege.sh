# What: without privileges one message names the missing privilege and the remedy: for programs that the interpreter or the process can run, that.
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
# Functions of a process that dtrace starts.
suggests() {
	as_nobody "$@"
	same "$status" 1 "status: $*"
	contains '(-x executor=process runs this program without)$' err
	as_nobody -q -x executor=process "$@"
	same "$status" 0 "status in the process: $*"
}
suggests -n 'pid$target::malloc:entry { @ = quantize(arg0); } tick-1s { }' -c 'ls /'
suggests -n 'pid$target::malloc:return { @[ustack(), entry(arg0)] = count(); }' -c 'ls /'
# It cannot run these.
for text in 'pid$target::malloc:entry { @[stack()] = count(); }' 'pid$target::malloc:entry, syscall::read:entry { @ = count(); }'; do
	as_nobody -n "$text" -c 'ls /'
	grep 'CAP_\|root' err | grep -q executor && fail "suggested: $text"
done
as_nobody -x bufpolicy=ring -n 'pid$target::malloc:entry { @ = count(); }' -c 'ls /'
grep -q 'executor=' err && fail "suggested with bufpolicy=ring"
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
