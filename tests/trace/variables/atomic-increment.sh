# What: x[k]++ loses nothing although two threads do it at once; nor do ^= |= &=, and numbers of two bytes.  Needs: uprobe two-cpus.  Executors: kernel process.
. "$LIB"
must_trace -n 'pid$target::step:entry { x[arg0]++; n++; @c = count(); }
	END { printf("%d %d\n", n, x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6]); }' -c "$TRIGGERS/threads 2 50000"
wanted=$(counted steps)
same "$(head -n 1 out | cut -d ' ' -f 2)" "$wanted" "sum of x[]"
must_trace -n 'unsigned short s, a[int]; int flip, bits; long mask;
	BEGIN { flip = 5; mask = -1; a[0] = 0; s = 0; }
	pid$target::step:entry { s++; a[arg0 & 1] += 3; flip ^= 3; bits |= 1 << (tid & 15); mask &= ~(1 << (tid & 15));
		@bit[1 << (tid & 15)] = count(); @c = count(); }
	END { printf("%d %d %d %d\n", s, (unsigned short)(a[0] + a[1]), flip, bits & mask); printa("count %@d\n", @c); }' \
	-c "$TRIGGERS/threads 2 50000"
wanted=$(counted steps)
same "$(sed -n 's/^count //p' out)" "$wanted" "firings"
same "$(head -n 1 out)" "$((wanted % 65536)) $((wanted * 3 % 65536)) $((wanted % 2 ? 6 : 5)) 0" "short, short elements, ^=, |= and &="
