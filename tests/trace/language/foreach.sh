# What: foreach walks an associative array: all its keys, of numbers and strings; break, continue, deletions, loops in it; other
# arrays of the same map are left out; at every kind of event.  Executors: kernel (its probes are of system calls).
. "$LIB"
for executor in kernel interpreter; do
	must_trace -x executor=$executor -n 'BEGIN { a[1, "one"] = 10; a[2, "two"] = 20; a[-3, "three"] = 30; a[4, "four"] = 0; b["x"] = "str"; c[5] = c[6] = c[7] = 3; }
		BEGIN { foreach (n, s in a) { t += a[n, s]; @[s, n] = sum(a[n, s]); x++; } printf("%d %d ", t, x); }
		BEGIN { foreach (k in b) printf("%s=%s ", k, b[k]); }
		BEGIN { foreach (k in c) { if (k == 6) continue; foreach (j in c) { y++; if (j == 6) break; } c[k] = 0; } }
		BEGIN { foreach (k in c) printf("left %d=%d ", k, c[k]); foreach (z in never) printf("none"); foreach (k in c) { printf("first"); break; } }
		BEGIN { c[1] = 1; foreach (in in c) for (this->i = 0; this->i < 3; this->i++) foreach++; printf(" %d", foreach); exit(0); }
		BEGIN /0/ { never[1] = 1; }'
	same "$(tr -s ' \n' ' ' <out)" "60 3 x=str left 6=3 first 6 one 1 10 two 2 20 three -3 30 " "results of $executor"
	must_fault -x executor=$executor -n 'BEGIN { a[1] = a[2] = 1; foreach (k in a) { n++; x = 1 / (k - k); } } BEGIN { printf("%d", n); exit(0); }'
	same "$(head -n 1 out)" 1 "passes before the fault, $executor"
	# More arrays than a program may have maps: some share one.
	awk 'BEGIN {
		print "BEGIN {"
		for (i = 0; i < 60; i++) {
			keys[i] = "0"
			names[i] = "k0"
			for (j = 1; j <= i % 30; j++) {
				keys[i] = keys[i] ", " j
				names[i] = names[i] ", k" j
			}
			printf "a%d[%s] = %d; s%d[%d] = \"v\";\n", i, keys[i], i + 1, i, i
		}
		print "}\nBEGIN {"
		for (i = 0; i < 60; i++)
			printf "foreach (%s in a%d) { t++; u += a%d[%s]; } foreach (q in s%d) if (q == %d) w++;\n", names[i], i, i, names[i], i, i
		print "}\nBEGIN { printf(\"%d %d %d\", t, u, w); exit(0); }"
	}' >many.d
	must_trace -x executor=$executor -s many.d
	same "$(head -n 1 out)" "60 1830 60" "sixty arrays of $executor"
done
must_trace -c "$TRIGGERS/calls 7" -n 'BEGIN { a[1] = a[2] = a[3] = 1; } pid$target:calls:some_function:entry { foreach (k in a) @["function", k] = count(); }
	syscall:::entry /pid == $target/ { foreach (k in a) @["call", k] = count(); }
	sched:::on-cpu { foreach (k in a) @["cpu", k] = count(); }'
same "$(awk '$1 == "function" && $3 == 7' out | wc -l)" 3 "functions"
same "$(awk '$1 == "call"' out | wc -l)" 3 "system calls"
same "$(awk '$1 == "cpu"' out | wc -l)" 3 "the scheduler"
must_trace -n 'BEGIN { a[1] = a[2] = a[3] = 1; } profile-199 { foreach (k in a) @["timer", k] = count(); } tick-300ms { exit(0); }'
same "$(awk '$1 == "timer"' out | wc -l)" 3 "timers"
