# What: sequence numbers of connections: those of answers are the segments' own; first numbers stay the same from the first segment
# to the last; what is sent again is known, as often as the kernel counts; the process from the first change on; the time limit in ms.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import ctypes, socket, struct, time
def sent_again(s): # of struct tcp_info
    return struct.unpack_from("I", s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 100)[0]
def dropping(s, length): # a filter that keeps no byte
    code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
    s.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", length, ctypes.addressof(code)))
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(8)
name = server.getsockname()
client = socket.create_connection(name)
accepted, _ = server.accept()
client.send(b"hello")
assert accepted.recv(10) == b"hello"
accepted.send(b"x" * 7000)
assert len(client.recv(7000, socket.MSG_WAITALL)) == 7000
limit = struct.unpack_from("I", client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 8)[0]
client.send(b"in time")
assert accepted.recv(10) == b"in time"
print(client.getsockname()[1], limit // 1000, file=open("limit", "w"))
dropping(accepted, 1)
client.send(b"lost")
while sent_again(client) < 3:
    time.sleep(0.01)
accepted.setsockopt(socket.SOL_SOCKET, 27, 0) # no filter
assert accepted.recv(10) == b"lost"
print("again", sent_again(client), sent_again(accepted), file=open("again", "w"))
client.close()
accepted.close()
server.close()
try:
    socket.create_connection(name)
except ConnectionRefusedError:
    pass
E2
cat >test.d <<'E2'
tcp:::state-change /pid == $target/ { port[args[3]->tcps_lport] = 1; port[args[3]->tcps_rport] = 1; }
tcp:::state-change /port[args[3]->tcps_lport] || port[args[3]->tcps_rport]/ {
	printf("change %d %d %d %u %u\n", args[5]->tcps_state, args[3]->tcps_state, args[1]->cs_pid == $target, args[3]->tcps_iss, args[3]->tcps_irs); }
tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established /port[args[3]->tcps_lport] || port[args[3]->tcps_rport]/ {
	printf("%s %x %u %u\n", probename, args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack); }
tcp:::send /port[args[3]->tcps_lport] || port[args[3]->tcps_rport]/ {
	printf("segment %x %u %u\n", args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack);
	printf("first %u %u\n", args[3]->tcps_iss, args[3]->tcps_irs); }
tcp:::send /args[2]->ip_plength - args[4]->tcp_offset == 7/ { printf("limit %d %d\n", args[3]->tcps_lport, args[3]->tcps_rto); }
tcp:::send /(port[args[3]->tcps_lport] || port[args[3]->tcps_rport]) && args[3]->tcps_retransmit/ {
	printf("sent-again %d\n", args[2]->ip_plength - args[4]->tcp_offset); }
E2
must_trace -s test.d -c "$(command -v python3) child.py"
again=$(awk '{ print $2 + $3 }' again)
same "$(grep -c '^sent-again' out)" "$again" "segments that were sent again"
same "$(grep -c '^sent-again 4$' out)" "$again" "segments of \"lost\""
contains "^limit $(cat limit)\$" out
# The SYN, its answer and the third segment, as they were sent: flags, two numbers.
read -r _ _ client _ <<E2
$(grep -m 1 '^segment 2 ' out)
E2
read -r _ _ server ack <<E2
$(grep -m 1 '^segment 12 ' out)
E2
same "$ack" "$((client + 1 & 0xffffffff))" "the number that the SYN's answer acknowledges"
contains "^connect-established 12 $server $ack$" out
contains "^accept-established 10 $ack $((server + 1 & 0xffffffff))$" out
read -r _ _ refused _ <<E2
$(grep '^segment 2 ' out | tail -n 1)
E2
contains "^connect-refused 14 0 $((refused + 1 & 0xffffffff))$" out
same "$(grep '^segment 14 ' out)" "segment 14 0 $((refused + 1 & 0xffffffff))" "the refusal"
# A segment of a socket that is not whole yet, or not any more, has 0.
sed -n 's/^first //p' out | sort -u >firsts
printf '%s\n' "0 0" "$client $server" "$client 0" "$server $client" "$refused 0" | sort -u >wanted
diff wanted firsts || fail "first numbers of segments"
awk '$1 == "change" && $2 != 7 && $2 != 10 && $3 != 2 { print $5, $6 }' out | sort -u >firsts
printf '%s\n' "$client $server" "$server $client" "$refused 0" | sort -u >wanted
diff wanted firsts || fail "first numbers at changes"
same "$(grep -c '^change' out) $(awk '$1 == "change" && $4 != 1' out)" "14 " "changes, of which the process is not known"
