# What: -v tells the stability of a program; -e stops before tracing.
. "$LIB"
must_trace -e -v -n 'BEGIN { printf("traced\n"); exit(0); }'
contains "^Stability attributes for description BEGIN :$"
contains '^	Minimum Probe Description Attributes'
grep -q '^traced' out && fail "-e traced"
true
