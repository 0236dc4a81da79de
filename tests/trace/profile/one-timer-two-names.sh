# What: two names of one timer fire together, by id (the first name used), then in the order of the text; each has
# separate this variables.
. "$LIB"
must_trace -n 'this string s; this int i;
	tick-100ms { n++; this->i++; this->s = this->s == NULL ? "x" : strjoin(this->s, "x"); printf("%d first %d %s\n", n, this->i, this->s); }
	tick-10hz { this->i++; this->s = this->s == NULL ? "y" : strjoin(this->s, "y"); printf("%d third %d %s\n", n, this->i, this->s); }
	tick-100ms { this->i++; this->s = this->s == NULL ? "z" : strjoin(this->s, "z"); printf("%d second %d %s\n", n, this->i, this->s); }
	tick-10hz /n == 5/ { exit(0); }'
for i in 1 2 3 4 5; do
	printf '%d first 1 x\n%d second 2 xz\n%d third 1 y\n' $i $i $i
done >wanted
same "$(grep . out)" "$(cat wanted)" "order of clauses"
