# What: clear() keeps keys and removes values, min and max begin again; trunc() keeps the greatest or the least N, by value in every order.
. "$LIB"
cat >stages.sh <<'END'
# Each stage is a look for a file; it is over when its output is there.
for i in 1 2 3 4 5 6 7 8 9; do
	[ -e "/stage/$i" ]
	tries=0
	until grep -q "^stage $i\$" out; do
		sleep 0.02
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || exit 1
	done
done
END
sed 's/LOOK/syscall::newfstatat:entry, syscall::faccessat2:entry, syscall::faccessat:entry/' >stages.d <<'END'
LOOK
/pid == $target/ { self->path = copyinstr(arg1); }
LOOK /self->path == "/stage/1"/
{
	@s["a"] = sum(3); @s["b"] = sum(-4); @s["c"] = sum(10); @s["d"] = sum(0);
	@l["x"] = min(4); @m["x"] = max(-4); @a["x"] = avg(7); @d["x"] = stddev(7); @c = count(); @n = min(-3);
	printf("\nstage 1\n");
}
LOOK /self->path == "/stage/2"/
{
	clear(@l); clear(@m); clear(@a); clear(@d); clear(@c); clear(@n);
	printa("%s %@d %@d %@d %@d\n", @l, @m, @a, @d); printa("%@d %@d\n", @c, @n); printf("\nstage 2\n");
}
LOOK /self->path == "/stage/3"/
{
	@l["x"] = min(9); @m["x"] = max(-9); @a["x"] = avg(2); @d["x"] = stddev(2); @c = count(); @n = min(8);
	printa("%s %@d %@d %@d %@d\n", @l, @m, @a, @d); printa("%@d %@d\n", @c, @n); printf("\nstage 3\n");
}
LOOK /self->path == "/stage/4"/
{
	setopt("aggsortrev"); setopt("aggsortkey"); trunc(@s, 3); printa("%s %@d\n", @s); printf("\nstage 4\n");
}
LOOK /self->path == "/stage/5"/
{ trunc(@s, -2); printa("%s %@d\n", @s); printf("\nstage 5\n"); }
LOOK /self->path == "/stage/6"/
{ @s["a"] = sum(1); @s["e"] = sum(-1); printa("%s %@d\n", @s); printf("\nstage 6\n"); }
LOOK /self->path == "/stage/7"/
{ trunc(@s, 0); printa("%s %@d\n", @s); trunc(@c); trunc(@n); printa("%@d\n", @c); printa("%@d\n", @n); printf("\nstage 7\n"); }
LOOK /self->path == "/stage/8"/
{ @s["f"] = sum(2); @c = count(); @n = min(5); clear(@s); printa("%s %@d\n", @s); printf("\nstage 8\n"); }
LOOK /self->path == "/stage/9"/
{ @s["g"] = sum(3); printa("%s %@d\n", @s); printa("%@d\n", @c); printa("%@d\n", @n); printf("\nstage 9\n"); }
LOOK
/self->path != NULL/ { self->path = 0; }
END
must_trace -s stages.d -c "sh stages.sh"
cat >wanted <<'END'
stage 1
x 0 0 0 0
0 0
stage 2
x 9 -9 2 0
1 8
stage 3
d 0
c 10
a 3
stage 4
d 0
a 3
stage 5
e -1
d 0
a 4
stage 6
stage 7
f 0
stage 8
g 3
f 0
1
5
stage 9
END
sed '/^$/d' out | diff wanted - || fail "stages"
