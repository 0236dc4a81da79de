# What: with aggrate a printa() that comes sooner shows the last reading again; without it each one reads; the end always does.
. "$LIB"
cat >steps.sh <<'END'
# Each step is one call, counted before its printa(); it is over when its line is there.
for i in 1 2 3 4 5; do
	cat /dev/null/x 2>/dev/null
	tries=0
	until [ "$(grep -c '^[0-9]' out)" -ge "$i" ]; do
		sleep 0.02
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || exit 1
	done
done
END
script='syscall::openat:return /progenyof($target) && errno == 20 && execname == "cat"/ { @n = count(); printa("%@d\n", @n); }
	END { printa("end %@d\n", @n); }'
must_trace -x aggrate=1000s -n "$script" -c 'sh steps.sh'
same "$(grep . out | tr '\n' ' ')" "1 1 1 1 1 end 5 " "readings with aggrate"
must_trace -n "$script" -c 'sh steps.sh'
same "$(grep . out | tr '\n' ' ')" "1 2 3 4 5 end 5 " "readings without it"
# clear() removes the values that were read and printed; zeros are printed until the next reading is due, and nothing is lost or printed twice.
cat >cleared.d <<'END'
syscall::openat:return /progenyof($target) && errno == 20 && execname == "cat"/
{
	@n = count(); @k["k"] = sum(10); @l = min(-7); @q["q"] = quantize(1); calls++;
	printa("%@d", @n); clear(@n); printa(" %@d", @n); clear(@n); printa(" %@d,", @n);
	printa("%s %@d", @k); clear(@k); printa(" %s %@d,", @k); printa("%@d", @l); clear(@l); printa(" %@d\n", @l);
	clear(@q);
}
END { printf("rest %d\n", calls); printa("%@d ", @n); printa("%s %@d ", @k); printa("%@d\n", @l); }
END
must_trace -x aggrate=1000s -s cleared.d -c 'sh steps.sh'
same "$(grep '^[0-9re]' out | tr '\n' '/')" "1 0 0,k 10 k 0,-7 0/0 0 0,k 0 k 0,0 0/0 0 0,k 0 k 0,0 0/0 0 0,k 0 k 0,0 0/0 0 0,k 0 k 0,0 0/rest 5/4 k 40 -7/" "cleared with aggrate"
must_trace -s cleared.d -c 'sh steps.sh'
same "$(grep '^[0-9re]' out | tr '\n' '/')" "1 0 0,k 10 k 0,-7 0/1 0 0,k 10 k 0,-7 0/1 0 0,k 10 k 0,-7 0/1 0 0,k 10 k 0,-7 0/1 0 0,k 10 k 0,-7 0/rest 5/0 k 0 0/" "cleared without"
