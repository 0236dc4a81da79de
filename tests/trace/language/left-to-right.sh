# What: op= and the arguments of subroutines are evaluated from the left to the right where that can be seen.
. "$LIB"
must_trace -n 'BEGIN { x = 5; x += x++; i = 4; i += (i = 10); this->y = 3; this->y -= this->y--; a[1] = 5; a[1] += a[1]++;
	z = 1; z += 2; printf("%d %d %d %d %d\n", x, i, this->y, a[1], z); exit(0); }'
same "$(cat out)" "10 14 0 10 3" "op="
must_trace -n 'BEGIN { s = alloca(16); d = alloca(16); bcopy("abcdefgh", s, 9); n = 1; bcopy((char *)s + n++, (char *)d + n++, n++);
	printf("%s %d ", stringof((char *)d + 2), n); n = 0; printf("%s ", inet_ntop(n++ + 2, (void *)((char *)s + n++)));
	n = 1; printf("%s %s\n", substr("abcdefgh", n++, n++), strjoin(lltostr(n++), lltostr(n++))); exit(0); }'
same "$(cat out)" "bcd 4 98.99.100.101 bc 34" "arguments"

# assignments: keys, index and address of the target come before the value, each evaluated once
must_trace -n 'struct pt { int x, y; int v[4]; }; struct pt st; struct pt sa[int];
BEGIN { i = 0; a[i++] = i++; printf("%d %d, ", a[0], i); i = 0; b[i++] += i++; b[i++] += 10; printf("%d %d %d, ", b[0], b[2], i);
	i = 0; c[i] = (i = 5); printf("%d %d, ", c[0], c[5]); i = 3; d[i++] = i; printf("%d %d\n", d[3], d[4]);
	p = (struct pt *)alloca(sizeof(struct pt)); p->x = 5; p->x += p->x++; printf("%d ", p->x); p->x -= (p->x = 2); printf("%d ", p->x);
	st.y = 7; st.y += st.y++; q = &st.v[0]; st.v[0] = 3; st.v[0] += (*q)++; printf("%d %d ", st.y, st.v[0]);
	i = 0; st.v[i++] = i++; st.v[i++] += i++; printf("%d %d %d\n", st.v[0], st.v[2], i);
	i = 0; sa[i++].v[i++] = i++; printf("%d %d ", sa[0].v[1], i); sa[i++].x += sa[0].v[1]++ + i++; printf("%d %d %d\n", sa[3].x, sa[0].v[1], i);
	i = 1; self->s[i++, probename] = strjoin(lltostr(i++), "!"); printf("%s %d ", self->s[1, "BEGIN"], i);
	i = 0; sb[i] = "first"; sb[1] = "second"; sb[i++] = sb[i]; printf("%s\n", sb[0]); exit(0); }'
same "$(cat out)" "1 2, 1 10 3, 5 0, 4 0
10 8 14 6 1 3 4
2 3 6 3 5
2! 3 second" "assignments"

# the index of a missing element is evaluated, too; sums and indexes begin on the left
must_trace -n 'struct pt { int x; int v[4]; }; struct pt sa[int]; struct pt st; self struct pt none;
BEGIN { i = 0; x = sa[1].v[i++] + self->none.v[i++]; printf("%d ", i); t = (char *)alloca(8); bcopy("abcdefg", t, 8); u = t;
	n = 0; printf("%c%c ", *(n++ + (u = u + n)), n++[u]); n = 1; @[n++] = sum(n++); @[n] = sum(n); printa("%d:%@d ", @);
	sa[i++] = sa[i++]; printf("%d ", i); st.v[1] = 4; sa[i++] = st; printf("%d %d\n", sa[4].v[1], i); exit(0); }'
same "$(cat out)" "2 bc 1:2 3:3 4 4 5" "what is absent, sums, keys"

# a fault comes before the operands to its right, and calls with side effects are in order
must_fault -n 'BEGIN { i = 0; a[*(int *)8] = i++; } BEGIN { a[i++ + *(int *)8] = (j = 1); }
BEGIN { printf("%d %d\n", i, j); exit(0); }'
same "$(cat out)" "1 0" "a fault"
must_trace -n 'BEGIN { a[strtok("a,b,c,d,e", ",")] = strtok(NULL, ","); printf("%s ", a["a"]);
	printf("%s ", strjoin(strtok(NULL, ","), strtok(NULL, ","))); a[strtok(NULL, ",")] = probename; printf("%s ", a["e"]);
	s = (char *)alloca(8); bcopy("abcdefg", s, 8); d = (char *)alloca(8); c = strtok("1 2 3", " ");
	bcopy(s + strtoll(c), d + strtoll(strtok(NULL, " ")), strtoll(strtok(NULL, " "))); printf("%s ", stringof(d + 2));
	exit(0); }'
same "$(cat out)" "b cd BEGIN bcd " "functions with effects"
