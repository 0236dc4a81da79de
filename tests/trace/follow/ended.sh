# What: what a process of the tree does while it ends is of the tree: its end, SIGCHLD to its parent, connections that it leaves open,
# the last time that it leaves the CPU, unless its parent has reaped it: in a namespace it has no number then.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import os, signal, socket
signal.signal(signal.SIGCHLD, lambda *a: None)
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
for turn in range(4):
    child = os.fork()
    if child == 0:
        connection = socket.create_connection(server.getsockname())
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(3)
        os.waitpid(grandchild, 0)
        os._exit(0)
    accepted, _ = server.accept()
    os.waitpid(child, 0)
    accepted.close()
E2
cat >test.d <<'E2'
self int ends; int on; syscall::listen:entry /pid == $target/ { on = 1; }
	proc:::exit /on && progenyof($target) && pid != $target/ { @n[target ? "exit" : "lost"] = sum(1); self->ends = 1; }
	proc:::signal-send /self->ends && args[2] == SIGCHLD/ { @n[target == $target ? "sigchld" : "lost"] = sum(1); }
	tcp:::state-change /self->ends && args[3]->tcps_state == TCP_STATE_FIN_WAIT_1/ { @n[target == $target ? "closed" : "lost"] = sum(1); }
	sched:::off-cpu /self->ends && curthread->exit_state && pid/ { @n[target == $target ? "off" : "lost"] = sum(1); }
E2
check() {
	same "$(value_of exit) $(value_of sigchld) $(value_of closed) $(value_of lost)" "8 8 4 0" "of processes that end, $1"
	[ "$(value_of off)" -ge 1 ] || fail "nobody left the CPU for the last time, $1"
}
must_trace -s test.d -c "$(command -v python3) child.py"
check "here"
# where dtrace is in a namespace of process numbers itself
unshare -fpm --mount-proc true 2>/dev/null || exit 0
timeout 60 unshare -fpm --mount-proc "$DTRACE" -s test.d -c "$(command -v python3) child.py" >out 2>err || fail "in a namespace: status $?: $(cat err)"
check "in a namespace"
