# What: ^C while the kernel still loads the programs ends dtrace at once, for nothing is traced yet.
. "$LIB"
seq 20000 | sed 's/.*/BEGIN { trace(&); }/' >many.d
echo 'BEGIN { exit(0); }' >>many.d
background -s many.d
loads() {
	ls -l "/proc/$pid/fd" | grep -q bpf-map
}
until_true 10 loads || fail "nothing was loaded: $(cat err)"
kill -INT "$pid"
wait "$pid"
same "$?" 130 "status"
[ -s out ] && fail "BEGIN has run"
[ -s err ] && fail "something is said: $(cat err)"
exit 0
