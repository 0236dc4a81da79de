# What: 100 arrays, 100 self arrays and 200 aggregations with keys, all in one program, keep their values apart; clear(),
# trunc() and printa() of several find theirs.
. "$LIB"
awk 'BEGIN {
	print "syscall::getppid:entry /pid == $target/ {"
	for (i = 0; i < 100; i++) {
		printf "v%d[%d, execname]++; self->w%d[1] = \"s%d\"; @a%d[pid - pid] = count(); @b%d[execname] = max(%d);\n", i, i % 3, i, i, i, i, i
		if (i % 10 == 9)
			print "}\nsyscall::getppid:entry /pid == $target/ {"
	}
	print "n++; }\nsyscall::getppid:entry /pid == $target && n == 5/ {"
	for (i = 0; i < 100; i++) {
		printf "printf(\"%%s %%d\\n\", self->w%d[1], v%d[%d, \"burst\"]);\n", i, i, i % 3
		if (i % 10 == 9)
			print "}\nsyscall::getppid:entry /pid == $target && n == 5/ {"
	}
	print "}\nEND { clear(@a3); trunc(@a4);"
	for (i = 0; i < 99; i++)
		printf "printa(\"a%d %%d %%@d %%@d\\n\", @a%d, @a%d); printa(\"b%d %%s %%@d\\n\", @b%d);\n", i, i, i + 1, i, i
	print "}"
}' >many.d
must_trace -s many.d -c "$TRIGGERS/burst 5"
same "$(awk '$1 == "s" (NR - 1) && $2 == 5 && NF == 2 { n++ } END { print n }' out)" 100 "elements"
same "$(awk '/^a/ && $2 == 0 && $3 == 5 && $4 == 5 { n++ } END { print n }' out)" 96 "pairs of aggregations"
same "$(grep '^a[234] ' out | tr '\n' ';')" "a2 0 5 0;a3 0 0 0;a4 0 0 5;" "cleared and truncated"
same "$(awk '/^b/ && "b" $3 == $1 && $2 == "burst" { n++ } END { print n }' out)" 99 "maxima"
