# What: eight hosts print what one machine with all their values prints, byte for byte: every aggregating function, keys, printa() with formats, trunc, normalize, percentiles.
. "$LIB"
via="env PATH=${DTRACE%/*}:$PATH H={}"
loop='for (this->i = 0; this->i < 500; this->i++) {
	this->x = (this->i * 7919 * this->h + 13 * this->h) % 1000 - 100;
	@c[this->x % 10] = count(); @k["key", this->x % 50, probename] = sum(this->x); @s = sum(this->x);
	@least = min(this->x); @most = max(this->x); @leastof[this->x % 3] = min(this->x); @mean = avg(this->x);
	@meanof[this->x % 5] = avg(this->x); @d = stddev(this->x); @dof[this->x % 7] = stddev(this->x);
	@q = quantize(this->x); @qof[this->x % 2] = quantize(this->x); @lq = lquantize(this->x, 0, 900, 100);
	@ll = llquantize(this->x, 10, 0, 3, 10); @t[this->x % 100] = sum(this->x); @n = sum(this->x); }'
end='BEGIN { exit(0); }
END { normalize(@n, 10); printa(@n); printa("%d of %@d\n", @c); trunc(@t, 10); printa("%@10d %d\n", @t); printa("%s %d %s %@d %@d\n", @k, @k); }'
for options in "" "-x aggpercentiles=50,99" "-x aggsortkey -x aggsortrev" "-x agghist" "-x oformat=json"; do
	# shellcheck disable=SC2086
	trace $options -n "BEGIN { for (this->h = 1; this->h <= 8; this->h++) { $loop } } $end"
	same "$status$(cat err)" 0 "one machine"
	grep -v '"type":"start"' out | sed 's/"\(time\|to\|from\|cpu\|id\|pid\|tid\)":[0-9]*//g; s/"process":"dtrace",//g' >one
	# shellcheck disable=SC2086
	trace $options --on 1,2,3,4,5,6,7,8 -x via="$via" -n "BEGIN { this->h = strtoll(host); $loop } $end"
	same "$status$(cat err)" 0 "eight"
	grep -v '"type":"start"' out | sed 's/"\(time\|to\|from\|cpu\|id\|pid\|tid\)":[0-9]*//g; s/"process":"dtrace",//g' >eight
	diff one eight >err || fail "eight hosts have another answer ($options)"
done
# By host, and a table of the hosts without -q.
"$DTRACE" --on 7,11 -x via="$via" -n 'BEGIN { @[host] = sum(strtoll(host)); exit(0); }' >out 2>err || fail "status $?"
contains '^  7  *7$'
contains '^  11  *11$'
same "$(awk '/ answered$/ { print $1, $2 }' err | paste -sd,)" "7 1,11 1" "the table of hosts"
