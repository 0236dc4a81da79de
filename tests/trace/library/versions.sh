# What: -x version hides what came later: names and translators of our libraries; any version that
# DTrace has had can be asked for, others are refused.  Needs: btf.
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
seen 'index("ab", "b")' 1.1 1.0 'index() came with version 1.1 of D'
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
