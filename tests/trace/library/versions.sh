# What: -x version hides later names: names and translators of our libraries; any version that DTrace has had can be
# requested, others are refused. Needs: btf.
. "$LIB"
# seen EXPRESSION VERSION BEFORE - EXPRESSION is there from VERSION on, not yet in BEFORE
seen() {
	must_trace -x version="$2" -e -n "BEGIN { trace($1); }"
	trace -x version="$3" -e -n "BEGIN { trace($1); }"
	same "$status" 1 "status of $1 in version $3"
	contains "$4" err
}
seen 'fds[0].fi_oflags' 1.1 1.0 'fds is unknown'
seen O_RDONLY 1.1 1.0 'O_RDONLY is unknown'
seen 'index("ab", "b")' 1.1 1.0 'index() was added in version 1.1 of D'
seen 'xlate <ipinfo_t>((struct iphdr *)arg0).ip_ver' 1.5 1.4.1 'to ipinfo_t'
seen 'xlate <ifinfo_t>((struct net_device *)arg0).if_name' 1.5 1.4.1 'to ifinfo_t'
for translated in 'tcpinfo_t>((struct tcphdr *)arg0).tcp_sport' 'udpinfo_t>((struct udphdr *)arg0).udp_sport' \
	'bufinfo_t>((struct bio *)arg0).b_flags'; do
	seen "xlate <$translated" 1.6.3 1.6.2 "to ${translated%%>*}"
done
must_trace -x version=1.0 -e -n 'BEGIN { trace(curpsinfo->pr_psargs); trace(ENOENT); }'
for version in 1.0 1.2.2 1.6.4 1.7.1 1.14 2.0 2.0.1; do
	must_trace -x version=$version -n 'BEGIN { exit(0); }'
done
for version in 0.9 1.1.1 1.15 2.0.2 3.0; do
	trace -x version=$version -n 'BEGIN { exit(0); }'
	contains 'Requested version is not supported by compiler' err
done
# since VERSION BEFORE STATEMENT... - each is there from VERSION on, not yet in BEFORE
since() {
	version=$1 before=$2
	shift 2
	for statement; do
		must_trace -w -x version="$version" -e -n "BEGIN { $statement; }"
		trace -w -x version="$before" -e -n "BEGIN { $statement; }"
		same "$status" 1 "status of $statement in version $before"
		contains 'was added in version\|is unknown' err
	done
}
since 1.1 1.0 'freopen("x")' 'trace(index("a", "b"))' 'trace(rindex("a", "b"))' 'trace(strchr("a", 1))' 'trace(strrchr("a", 1))' \
	'trace(strstr("a", "b"))' 'trace(strtok("a", "b"))' 'trace(substr("a", 1))' 'trace(O_CREAT)'
since 1.2 1.1 'func(arg0)' 'mod(arg0)' 'sym(arg0)' 'uaddr(arg0)' 'ufunc(arg0)' 'umod(arg0)' 'usym(arg0)' 'trace(ucaller)' \
	'trace(ustackdepth)' 'setopt("quiet")'
since 1.3 1.2.2 'trace(htons(1))' 'trace(htonl(1))' 'trace(htonll(1))' 'trace(ntohs(1))' 'trace(ntohl(1))' 'trace(ntohll(1))'
since 1.5 1.4.1 'trace(inet_ntoa((ipaddr_t *)arg0))' 'trace(inet_ntoa6((in6_addr_t *)arg0))' 'trace(inet_ntop(2, (void *)arg0))' \
	'trace(link_ntop(1, (void *)arg0))'
since 1.6 1.5 '@ = stddev(1)'
since 1.6.4 1.6.3 '@ = llquantize(1, 10, 0, 2, 10)' 'pcap((struct sk_buff *)arg0, 1)'
since 1.8 1.7.1 'trace(toupper("a"))' 'trace(tolower("a"))'
since 1.9 1.8.1 'print(1)'
since 1.10 1.9.1 'trace(getf(1))'
since 1.11 1.10 'trace(json("a", "b"))' 'trace(strtoll("1"))'
since 1.14 1.13 'trace(threadname)'
