# What: the constants of our libraries have the values of the system's headers.  Needs: btf cc.
. "$LIB"
root=${LIB%/tests/trace/lib.sh}

# Constants of a header have their value there, except O_LARGEFILE: 0 where all files are large anyway.
cat "$root"/dlib/*.d "$root/dlib/$(uname -m)"/*.d >dlib.d
{
	sed -n 's/^inline [a-z0-9_]* \([A-Z][A-Z0-9_]*\) =.*/\1/p' dlib.d
	awk '/^enum/ { inside = 1 } inside { print } /}/ { inside = 0 }' dlib.d | grep -o '[A-Z_0-9]* = ' | sed 's/ = //'
} | grep -v '^O_LARGEFILE$\|^__O_' | sort -u >names
{
	printf '#define _GNU_SOURCE\n'
	printf '#include <%s.h>\n' stdio errno fcntl sched signal sys/mman sys/socket net/if_arp netinet/in netinet/tcp
	printf 'int main(void)\n{\n'
	sed 's/.*/#ifdef &\n\tprintf("& %lld\\n", (long long)(&));\n#endif/' names
	# Those that are enumerators only, and those with another name.
	sed -n 's/^IPPROTO_\(COMP\|DSTOPTS\|EGP\|ENCAP\|FRAGMENT\|GRE\|HOPOPTS\|ICMP\|ICMPV6\|IDP\|IGMP\|IPIP\|IPV6\|MH\|MTP\|NONE\|PIM\|PUP\|RAW\|ROUTING\|RSVP\|SCTP\|TCP\|TP\|UDP\|UDPLITE\)$/#ifndef &\n\tprintf("& %d\\n", &);\n#endif/p' names
	while read -r ours theirs; do
		printf '\tprintf("%s %%d\\n", %s);\n' "$ours" "$theirs"
	done <<'PAIRS'
TCP_STATE_ESTABLISHED TCP_ESTABLISHED
TCP_STATE_SYN_SENT TCP_SYN_SENT
TCP_STATE_SYN_RECEIVED TCP_SYN_RECV
TCP_STATE_FIN_WAIT_1 TCP_FIN_WAIT1
TCP_STATE_FIN_WAIT_2 TCP_FIN_WAIT2
TCP_STATE_TIME_WAIT TCP_TIME_WAIT
TCP_STATE_CLOSED TCP_CLOSE
TCP_STATE_CLOSE_WAIT TCP_CLOSE_WAIT
TCP_STATE_LAST_ACK TCP_LAST_ACK
TCP_STATE_LISTEN TCP_LISTEN
TCP_STATE_CLOSING TCP_CLOSING
PAIRS
	printf '}\n'
} >it.c
cc -o it it.c || fail "the headers do not compile"
./it | sort -u >wanted
[ "$(wc -l <wanted)" -gt 300 ] || fail "few names are in the headers: $(wc -l <wanted)"

# agree FILE - each name of FILE has the value after it
agree() {
	awk 'BEGIN { print "BEGIN {" } { printf "printf(\"%s %%d\\n\", %s);\n", $1, $1 }
		END { print "exit(0); }" }' "$1" >it.d
	must_trace -s it.d
	sed '/^$/d' out | diff "$1" - || fail "values differ from those of $1"
}
agree wanted

# Those that no header has.
cat >own <<'OWN'
B_BUSY 1
B_DONE 2
B_ERROR 4
B_PAGEIO 16
B_PHYS 32
B_READ 64
B_WRITE 256
B_ASYNC 1024
SSLEEP 1
SRUN 2
SZOMB 3
SSTOP 4
SIDL 5
SONPROC 6
SWAIT 7
PR_STOPPED 1
PR_ISTOP 2
PR_DSTOP 4
PR_STEP 8
PR_ASLEEP 16
PR_PCINVAL 32
PR_ASLWP 64
PR_AGENT 128
PR_DETACH 256
PR_DAEMON 512
PR_ISSYS 4096
PR_VFORKP 8192
PR_ORPHAN 16384
PR_NOSIGCHLD 32768
PR_WAITPID 65536
PR_FORK 1048576
PR_RLC 2097152
PR_KLC 4194304
PR_ASYNC 8388608
PR_MSACCT 16777216
PR_BPTADJ 33554432
PR_PTRACE 67108864
PR_MSFORK 134217728
PR_IDLE 268435456
SOBJ_NONE 0
SOBJ_MUTEX 1
SOBJ_RWLOCK 2
SOBJ_CV 3
SOBJ_SEMA 4
SOBJ_USER 5
SOBJ_USER_PI 6
SOBJ_SHUTTLE 7
PR_MODEL_ILP32 1
PR_MODEL_LP64 2
PIDTYPE_PID 0
PIDTYPE_TGID 1
PIDTYPE_PGID 2
PIDTYPE_SID 3
TH_ECE 64
TH_CWR 128
TCP_STATE_IDLE 0
TCP_STATE_BOUND 13
TCP_MIN_HEADER_LENGTH 20
NET_PROBE_OUTBOUND 0
NET_PROBE_INBOUND 1
PCAP_NULL 0
PCAP_ETHER 1
PCAP_PPP 9
PCAP_IP 12
PCAP_WIFI 105
PCAP_IPOIB 242
RW_WRITER 0
RW_READER 1
IPPROTO_OSPF 89
IPPROTO_MAX 256
DTRACEFLT_UNKNOWN 0
DTRACEFLT_BADADDR 1
DTRACEFLT_BADALIGN 2
DTRACEFLT_ILLOP 3
DTRACEFLT_DIVZERO 4
DTRACEFLT_NOSCRATCH 5
DTRACEFLT_KPRIV 6
DTRACEFLT_UPRIV 7
DTRACEFLT_TUPOFLOW 8
DTRACEFLT_BADSTACK 9
DTRACEFLT_BADSIZE 10
DTRACEFLT_BADINDEX 11
DTRACEFLT_BADSPEC 12
DTRACEFLT_TAILCALL 13
DTRACEFLT_LIBRARY 1000
NULL 0
OWN
agree own
must_trace -n 'BEGIN { printf("%s %s %s %s\n", tcp_state_string[0], tcp_state_string[TCP_STATE_CLOSED],
	tcp_state_string[TCP_STATE_CLOSING], tcp_state_string[12]); exit(0); }'
same "$(cat out)" 'state-idle state-closed state-closing <unknown>' 'names of states'
