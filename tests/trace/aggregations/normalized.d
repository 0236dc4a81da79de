/* What: normalize() divides what each function shows, printa() and the end alike; denormalize() undoes it; 0 is refused.  Options: -x aggpercentiles=50. */
BEGIN
{
	@c["k"] = count(); @c["k"] = count(); @c["k"] = count(); @s["k"] = sum(-100); @a["k"] = avg(50); @a["k"] = avg(70);
	@l["k"] = min(-41); @m["k"] = max(41); @d["k"] = stddev(100); @d["k"] = stddev(300); @q = quantize(8, 100);
	@i = lquantize(8, 0, 20, 10, -100); @k = llquantize(8, 10, 0, 1, 10, 50);
}
BEGIN { normalize(@c, 2); normalize(@s, 3); normalize(@a, 4); normalize(@l, 10); normalize(@m, 10); normalize(@d, 10); }
BEGIN { printa("%s %@d %@d %@d %@d %@d %@d\n", @c, @s, @a, @l, @m, @d); normalize(@q, 9); printa(@q); }
BEGIN { denormalize(@c); denormalize(@s); denormalize(@a); denormalize(@l); denormalize(@m); denormalize(@d); }
BEGIN { printa("%s %@d %@d %@d %@d %@d %@d\n", @c, @s, @a, @l, @m, @d); normalize(@i, 7); normalize(@k, 50); exit(0); }
