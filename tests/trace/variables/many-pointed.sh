# What: many variables whose addresses are taken, and many writes through pointers; a few, each with its bounds; a large
# self variable takes copies of sizes known at run time.
. "$LIB"
declare=$(for i in $(seq 60); do echo "char c$i[8]; struct named v$i[2];"; done)
write=$(for i in $(seq 60); do echo "q = c$i; *q = 'a' + $i % 26; p = v$i; p->t = \"text $i\"; p[1].n = $i; bcopy(q, q + n, n);"; done)
must_trace -n "struct named { int n; string t; }; $declare char *q; struct named *p; int n;
	BEGIN { n = 1; $write printf(\"%s %s %s %d\n\", c3, c60, v59[0].t, v7[1].n); exit(0); }"
same "$(head -n 1 out)" 'dd ii text 59 7' 'written'
few=$(for i in $(seq 40); do echo "q = c$((i % 8)); q[i & 7] = 'a'; bcopy(q, &q[i & 3], n);"; done)
must_fault -n "$(for i in $(seq 0 7); do echo "char c$i[8];"; done) char *q; int n, i; BEGIN { n = 5; i = 2; $few
	c1[0] = 'x'; q = c0; n = 3; bcopy(q, q + 6, n); } BEGIN { printf(\"%c\n\", c1[0]); exit(0); } ERROR { printf(\"fault %d\n\", arg4); }"
same "$(sed -n 1,2p out | tr "\n" ,)" "fault 1,x," "eight variables"
must_fault -n 'self char large[50000]; char *q; int n; BEGIN { n = 6; q = self->large; bcopy((char *)"large", q + 49990, n);
	bcopy(q + 49990, &self->large[n - 6], n); printf("%s %s\n", self->large, stringof(q + 49991)); n = 20000; }
	BEGIN { bcopy(q, q + 1, n); } BEGIN { exit(0); } ERROR { printf("fault %d %d\n", arg4, arg5); }'
same "$(sed -n 1,2p out | tr '\n' ,)" 'large arge,fault 10 20000,' 'a large self variable'
