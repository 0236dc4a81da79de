# What: foreach over an aggregation, in END and tick- probes: keys of numbers, strings, names of probes and enums, the value over all
# CPUs, after clear() and trunc(), many keys, aggregations that share a map; over an array of this thread; keys that are enums.
. "$LIB"
for executor in kernel interpreter; do
	must_trace -x executor=$executor -n 'enum color { RED, GREEN }; enum color g;
		BEGIN { g = GREEN; a[g, "x"] = 5; foreach (c, s in a) printf("%s %s %d,", c, s, a[c, s]); }
		BEGIN { self->z["x", 3] = 7; self->z["y", 4] = 8; self->q["x", 3] = 9; foreach (s, n in self->z) { t += self->z[s, n]; n0 += n; }
			printf("%d %d,", t, n0); }
		BEGIN { foreach (s, n in self->z) { self->z[s, n] = 0; foreach (r, m in self->q) u += m; } foreach (s, n in self->z) u = 1000; printf("%d,", u); }
		BEGIN { @d["two"] = count(); }
		BEGIN { @c["one", 1] = count(); @c["two", -2] = count(); @least[3] = min(-5); @least[3] = min(7); @most[3] = max(-5); @most[3] = max(-7);
			@mean[1ULL] = avg(4); @mean[1ULL] = avg(9); @sum[probename, g] = sum(-3); @zero[1] = sum(0); }
		tick-100ms { foreach (s, n in @c) { this->s += @c[s, n] * n; if (n == -2) printf("%s,", s); } printf("%d,", this->s); }
		tick-100ms { foreach (k in @least) printf("%d %d,", k, @least[k]); foreach (k in @most) printf("%d %d,", k, @most[k]); }
		tick-100ms { foreach (k in @mean) printf("%d %d,", k, @mean[k]); foreach (p, e in @sum) printf("%s %s %d,", p, e, @sum[p, e]); }
		tick-100ms { foreach (k in @zero) printf("%d %d,", k, @zero[k]); exit(0); }
		END { foreach (s, n in @c) foreach (x in @zero) { this->n++; break; } printf("%d", this->n); exit(0); }' 2>&1
	same "$(head -n 1 out)" "GREEN x 5,15 7,6,two,-1,3 -5,3 -5,1 6,BEGIN GREEN -3,1 0,2" "values of $executor"
done
# All CPUs: the parts of each are known by another aggregation.
must_trace -n 'profile-499 { @all["x", 1] = count(); @part[cpu] = count(); @s[1] = sum(cpu + 1); @t[cpu] = sum(cpu + 1); } tick-400ms { exit(0); }
	END { foreach (c in @part) this->n += @part[c]; foreach (c in @t) this->t += @t[c]; foreach (s, n in @all) printf("%d ", this->n > 0 && this->n == @all[s, n]);
	foreach (k in @s) printf("%d", this->t == @s[k]); }'
same "$(head -n 1 out)" "1 1" "sums over CPUs"
# clear() and trunc() are in effect once the consumer has done them.
for forgets in clear trunc; do
	must_trace -x switchrate=20ms -n "BEGIN { @a[1] = count(); @a[2] = count(); }
		tick-300ms /i == 0/ { foreach (k in @a) this->n += @a[k]; printf(\"%d \", this->n); $forgets(@a); }
		tick-300ms /i == 1/ { foreach (k in @a) this->n += 100; printf(\"%d \", this->n); @a[2] = count(); }
		tick-300ms /i == 2/ { foreach (k in @a) printf(\"%d %d \", k, @a[k]); exit(0); }
		tick-300ms { i++; } END { printa(\"%d:%@d \", @a); }" 2>&1
	case $forgets in
	clear) want="2 0 2 1 1:0 2:1 " ;;
	trunc) want="2 0 2 1 2:1 " ;;
	esac
	same "$(head -n 1 out)" "$want" "$forgets()"
done
# As many keys as calls; more aggregations than a program may have maps.
must_trace -n 'BEGIN { for (this->i = 0; this->i < 1000; this->i++) @a[lltostr(this->i), this->i] = sum(this->i); }
	END { foreach (s, n in @a) { this->n++; this->sum += @a[s, n] + strtoll(s) - n; } printf("%d %d", this->n, this->sum); } BEGIN { exit(0); }'
same "$(head -n 1 out)" "1000 499500" "a thousand keys"
awk 'BEGIN {
	print "BEGIN {"
	for (i = 0; i < 60; i++) {
		keys = "0"
		names[i] = "k0"
		for (j = 1; j <= i % 30; j++) {
			keys = keys ", " j
			names[i] = names[i] ", k" j
		}
		printf "@a%d[%s] = sum(%d);\n", i, keys, i + 1
	}
	print "exit(0); }\nEND {"
	for (i = 0; i < 60; i++)
		printf "foreach (%s in @a%d) { t++; u += @a%d[%s]; }\n", names[i], i, i, names[i]
	print "}\nEND { printf(\"%d %d\", t, u); }"
}' >many.d
must_trace -s many.d
same "$(head -n 1 out)" "60 1830" "sixty aggregations"

# Fewer keys, or a name that another loop has bound, are no value of the pass; a probe's name alone does not make a tick.
for program in 'END { foreach (k1, k2 in @a) printf("%d", @a[k2]); }' 'END { foreach (k1, k2 in @a) foreach (k2, k3 in @b) printf("%d", @a[k1, k2]); }'; do
	trace -n "BEGIN { @a[1, 2] = count(); @b[3, 4] = count(); exit(0); } $program"
	same "$status" 1 "status of $program"
	contains 'in foreach, a value of @a is that of the pass' err
done
