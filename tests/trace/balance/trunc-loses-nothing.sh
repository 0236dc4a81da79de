# What: trunc() and clear() every few ms while two threads add: the printed values and the reported drops are all firings; nothing is lost in an element that is being deleted, and memory of truncated keys is free for new keys. Needs: two-cpus.
. "$LIB"
cat >forget.d <<'D'
syscall::getpgid:entry
/pid == $target/
{
	@n = count(); @c[arg0 & 7] = count(); @t[arg0 & 7] = count(); @s[arg0 & 7] = sum(3);
	@a[arg0 & 7] = avg(1); @q[arg0 & 7] = quantize(1);
}
tick-3ms, END
{
	printa("c %d %@d\n", @c); clear(@c);
	printa("t %d %@d\n", @t); trunc(@t);
	printa("s %d %@d\n", @s); trunc(@s);
	printa("q %d %@d", @q); trunc(@q);
}
END { printa("n %@d\n", @n); }
D
sum() {
	awk -v name="$1" '$1 == name { n += $NF } END { print n + 0 }' "${2:-out}"
}
must_trace -s forget.d -c "$TRIGGERS/stress 2500"
n=$(($(counted thread0) + $(counted thread1)))
same "$(sum n)" "$n" "firings"
same "$(sum c)" "$n" "with clear()"
same "$(sum t)" "$n" "with trunc()"
same "$(sum s)" $((3 * n)) "sums with trunc()"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" "$n" "in histograms with trunc()"
# More keys than would fit without trunc(): drops are reported, and keys are used again and again.
trace -x aggsize=32k -n 'syscall::getpgid:entry /pid == $target/ { @n = count(); @u[arg0 & 1023] = count(); }
	tick-3ms, END { printa("u %d %@d\n", @u); trunc(@u); } END { printa("n %@d\n", @n); }' -c "$TRIGGERS/stress 1500"
same "$status" 0 "status"
n=$(($(counted thread0) + $(counted thread1)))
same "$(sum n)" "$n" "firings with little room"
same $(($(sum u) + $(drops))) "$n" "shown and dropped with little room"
[ "$(awk '$1 == "u" { print $2 }' out | sort -u | wc -l)" -eq 1024 ] || fail "some keys never found room"
