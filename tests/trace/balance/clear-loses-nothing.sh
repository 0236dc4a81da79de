# What: values added between a printa() and the clear() or trunc() after it are in the next printa(): keyed and keyless.
. "$LIB"
cat >sums.d <<'D'
syscall::getppid:entry /pid == $target/ { @one = count(); @many[arg0 % 4 == 9, probefunc] = count(); @gone[probefunc] = count(); }
tick-7ms, END { printa("one %@d\n", @one); printa("many %d %s %@d\n", @many); printa("gone %s %@d\n", @gone);
	clear(@one); clear(@many); trunc(@gone); }
D
must_trace -s sums.d -c "$TRIGGERS/burst 300000"
sum() {
	awk -v name="$1" '$1 == name { n += $NF } END { print n + 0 }' out
}
same "$(sum one)" 300000 one
same "$(sum many)" 300000 many
same "$(sum gone)" 300000 gone
