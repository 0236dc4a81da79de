# What: two threads make new keys as fast as possible, of all aggregating functions, 1 to 32 components, strings, stacks: each firing is a row or a reported drop; while there is memory, there are no drops. Needs: two-cpus.
. "$LIB"
burst() { # SIZE KEY FUNCTION - each firing has a key of its own
	trace -x aggsize="$1" -n "syscall::getpgid:entry /pid == \$target/ { @n = count(); @k[$2] = $3; }
		END { printa(\"n %@d\n\", @n); printa(\"row%@d\n\", @k); trunc(@k); }" -c "$TRIGGERS/stress 150"
	same "$status" 0 "status of $3 by $2 in $1"
	n=$(($(counted thread0) + $(counted thread1)))
	same "$(value_of n)" "$n" "firings of $3 by $2 in $1"
	same $(($(grep -c '^row' out) + $(drops))) "$n" "rows and drops of $3 by $2 in $1"
}
keys='arg0'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do
	keys="$keys, arg0 + $i"
done
for function in 'count()' 'sum(1)' 'min(arg0)' 'max(arg0)' 'avg(1)' 'stddev(arg0)' 'lquantize(arg0, 0, 9)'; do
	burst 128m arg0 "$function"
	[ "$(drops)" -eq 0 ] || fail "drops of $function"
done
for key in "$keys" 'lltostr(arg0)' 'arg0, stack(), ustack(5), execname'; do
	burst 256m "$key" 'count()'
	[ "$(drops)" -eq 0 ] || fail "drops of key $key"
done
for function in 'count()' 'stddev(arg0)' 'quantize(1)' 'llquantize(arg0, 10, 0, 6, 20)'; do
	burst 64k arg0 "$function"
	burst 64k "$keys" "$function"
	[ "$(drops)" -gt 100 ] || fail "no drops of $function"
done
