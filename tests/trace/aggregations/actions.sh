# What: effects and output of printa(), clear(), trunc(), normalize() with each function, without data, twice, in ERROR.
. "$LIB"
# shows WANTED PROGRAM - quiet, lines joined by /, blanks squeezed; nothing on standard error but faults that ERROR sees
shows() {
	case $2 in
	*ERROR*) must_fault -n "$2" ;;
	*) must_trace -n "$2" ;;
	esac
	same "$(tr -s ' \n' ' /' <out)" "$1" "$2"
}
bar='value ------------- Distribution ------------- count'
# clear(): keys stay, and empty histograms; the first rows of each kind.
shows "/ x / $bar / -1 | 0 / 0 | 0 / 1 | 0 / x / $bar / < 0 | 0 / 0 | 0 / 5 | 0 / x / $bar / < 10 | 0 / 10 | 0 / 20 | 0 /" '
	BEGIN { @q["x"] = quantize(3); @l["x"] = lquantize(3, 0, 10, 5); @ll["x"] = llquantize(30, 10, 1, 1, 10); clear(@q); clear(@l); clear(@ll); exit(0); }'
shows 'x 0 0 0 0 0 0/' 'BEGIN { @c["x"] = count(); @s["x"] = sum(-3); @a["x"] = avg(3); @d["x"] = stddev(4); @l["x"] = min(5); @m["x"] = max(-5);
	clear(@c); clear(@s); clear(@a); clear(@d); clear(@l); clear(@m); clear(@c); printa("%s %@d %@d %@d %@d %@d %@d\n", @c, @s, @a, @d, @l, @m); exit(0); }'
# trunc(): which keys stay is a question of the values shown, whatever the function; keys decide between equals.
for function in 'sum(5) sum(1) sum(9)' 'min(5) min(1) min(9)' 'max(-5) max(-11) max(-1)' 'avg(5) avg(-100) avg(100)' \
	'quantize(8) quantize(-8) quantize(100)' 'lquantize(8,-10,100) lquantize(-8,-10,100) lquantize(50,-10,100)' \
	'llquantize(30,10,1,3,10) llquantize(-30,10,1,3,10) llquantize(90,10,1,3,10)'; do
	middle=${function%% *} rest=${function#* }
	data="BEGIN { @a[\"m\"] = $middle; @a[\"l\"] = ${rest% *}; @a[\"h\"] = ${rest#* };"
	shows 'mh/' "$data trunc(@a, 2); printa(\"%s\", @a); exit(0); }"
	shows 'lm/' "$data trunc(@a, -2); printa(\"%s\", @a); exit(0); }"
	shows 'lmh/' "$data trunc(@a, 3); trunc(@a, -3); trunc(@a, 1000000); trunc(@a, -1000000); printa(\"%s\", @a); exit(0); }"
done
shows 'bc|c|c|/' 'BEGIN { @n["c"] = count(); @n["b"] = count(); @n["a"] = count(); trunc(@n, 2); printa("%s", @n); printf("|");
	clear(@n); trunc(@n, 1); printa("%s", @n); printf("|"); trunc(@n, -1); printa("%s", @n); printf("|"); exit(0); }'
# n is any scalar, read at run time; 0 is all; its sign is that of its type.
shows '34|4|4||/' 'BEGIN { @n[1] = sum(1); @n[2] = sum(2); @n[3] = sum(3); @n[4] = sum(4); this->n = 2; trunc(@n, this->n); printa("%d", @n); printf("|");
	trunc(@n, (char *)1); printa("%d", @n); printf("|"); trunc(@n, (unsigned char)-1); printa("%d", @n); printf("|"); trunc(@n, this->n - 2); printa("%d", @n);
	printf("|"); exit(0); }'
shows '12|1|/' 'BEGIN { @n[1] = sum(1); @n[2] = sum(2); @n[3] = sum(3); this->n = 2; trunc(@n, -this->n); printa("%d", @n); printf("|");
	trunc(@n, (char)-1); printa("%d", @n); printf("|"); exit(0); }'
# Without keys there is one, which stays or goes.
shows '5 5 |/' 'BEGIN { @n = max(5); trunc(@n, 1); printa("%@d ", @n); trunc(@n, -1); printa("%@d ", @n); trunc(@n); printa("%@d", @n); printf("|"); exit(0); }'
# normalize(): the last divisor is used, without sign; 0 is a fault of the consumer that ERROR does not see, and changes nothing.
shows '48 240 120 0 0/' 'BEGIN { @n = sum(240); normalize(@n, 10); normalize(@n, 5); printa("%@d ", @n); denormalize(@n); denormalize(@n); printa("%@d ", @n);
	normalize(@n, (int *)2); printa("%@d ", @n); normalize(@n, -1); printa("%@d ", @n); normalize(@n, 5); clear(@n); printa("%@d\n", @n); exit(0); }'
trace -n 'int zero; BEGIN { @n = sum(240); normalize(@n, 5); normalize(@n, zero); normalize(@n, 0); printa("%@d|", @n); exit(0); } ERROR { printf("no"); }'
same "$(cat out)" "48|" "the divisor before 0"
same "$(grep -c 'error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): Invalid normalization: normalize() by 0$' err) $(wc -l <err)" "2 2" "faults"
# printa(): the same twice, of one that was emptied or never filled, two whose keys are not the same ones.
shows '/ x 1 1/x 1 1/' 'BEGIN { @a["x"] = count(); printa(@a, @a); printa("%s %@d %@d\n", @a, @a); exit(0); }'
shows '/|/|/' 'BEGIN { @a["x"] = count(); trunc(@a); printa(@a); printa("no", @a); printf("|"); if (0) @b[1] = count(); printa(@b); printa("no", @b); printf("|"); exit(0); }'
shows '/ y 0 2/ x 1 0/x 0 1/y 2 0/' 'BEGIN { @a["x"] = count(); @b["y"] = sum(2); printa(@a, @b); printa("%s %@d %@d\n", @b, @a); exit(0); }'
# In ERROR, and with -x bufpolicy=fill.
shows '1|0|/' 'BEGIN { @a = count(); x = *(int *)0; } ERROR { printa("%@d|", @a); clear(@a); printa("%@d|", @a); exit(0); }'
must_trace -x bufpolicy=fill -n 'BEGIN { @a = count(); printa("%@d ", @a); clear(@a); printa("%@d ", @a); exit(0); }'
same "$(cat out)" "1 0 " "bufpolicy=fill"
# Lines of the default mode.
"$DTRACE" -n 'BEGIN { @a = count(); } BEGIN { printa(@a); printa(@a); } BEGIN { printa("x%@d", @a); clear(@a); exit(0); }' 2>err |
	sed -E 's/^ [ 0-9][0-9]( {6}1 )/  C\1/; s/ +$//' >got
cat >wanted <<'T'
CPU     ID                    FUNCTION:NAME
  C      1                           :BEGIN
                1

                1

  C      1                           :BEGIN x1

T
diff wanted got || fail "lines with printa()"
