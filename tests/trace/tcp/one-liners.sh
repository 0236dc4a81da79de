# What: the questions of dtrace-provider-tcp(7) answer for a program of known behaviour.  Needs: btf python3.
. "$LIB"
own_address
cat >child.py <<'E2'
import socket, sys
server = socket.socket()
server.bind((sys.argv[1], 0))
server.listen(8)
for i in range(6):
    client = socket.create_connection(server.getsockname(), source_address=(sys.argv[1], 0))
    accepted, _ = server.accept()
    client.sendall(b"x" * 1000)
    got = 0
    while got < 1000:
        got += len(accepted.recv(1000))
    client.close()
    accepted.close()
E2
child="$(command -v python3) child.py $address"
must_trace -n "tcp:::accept-established /args[3]->tcps_laddr == \"$address\"/ { @[\"accepted\", args[3]->tcps_raddr] = count(); }" -c "$child"
contains "^ *accepted  *$address  *6\$"
must_trace -n "tcp:::connect-request /args[2]->ip_daddr == \"$address\"/ { @[execname, pid == \$target, args[2]->ip_daddr] = count(); }" -c "$child"
contains "python3.*  *1  *$address  *6\$"
must_trace -n "tcp:::send /args[2]->ip_daddr == \"$address\"/ { @[args[2]->ip_saddr] = quantize(args[2]->ip_plength - args[4]->tcp_offset); }" -c "$child"
contains "^ *$address "
contains '^ *512 |@* *6 '
# bytes by host: each of the six clients sent 1000
must_trace -n "tcp:::send,tcp:::receive /args[2]->ip_daddr == \"$address\" && args[2]->ip_saddr == \"$address\"/ {
	@[probename, args[2]->ip_saddr] = sum(args[2]->ip_plength - args[4]->tcp_offset); }" -c "$child"
contains "^ *send  *$address  *6000\$"
contains "^ *receive  *$address  *6000\$"
# how long a connection is made, and how long it lives
must_trace -n "tcp:::state-change /args[3]->tcps_laddr == \"$address\" && args[3]->tcps_state == TCP_STATE_SYN_SENT/ { born[args[1]->cs_addr] = timestamp; }
	tcp:::state-change /born[args[1]->cs_addr] && args[3]->tcps_state == TCP_STATE_ESTABLISHED/ { @[\"made\"] = count(); }
	tcp:::state-change /born[args[1]->cs_addr] && args[3]->tcps_state == TCP_STATE_CLOSED/ {
		@[\"ended\"] = count(); @t = min(timestamp - born[args[1]->cs_addr]); born[args[1]->cs_addr] = 0; }
	END { printa(\"shortest %@d\n\", @t); }" -c "$child"
same "$(value_of made) $(value_of ended)" "6 6" "lives of connections"
[ "$(value_of shortest)" -gt 1000 ] || fail "a connection of $(value_of shortest) ns"
must_trace -n "tcp:::connect-request /pid == \$target/ { start[arg1] = timestamp; }
	tcp:::connect-established /start[arg1]/ { @[\"connected\", args[3]->tcps_raddr] = count(); start[arg1] = 0; }" -c "$child"
contains "^ *connected  *$address  *6\$"
must_trace -n "tcp:::state-change /args[3]->tcps_laddr == \"$address\"/ { @[tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count(); }" -c "$child"
contains '^ *state-syn-sent  *state-established  *6$'
