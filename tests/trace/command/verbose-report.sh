# What: -v prints the stability of a program; -e stops before tracing.
. "$LIB"
must_trace -e -v -n 'BEGIN { printf("traced\n"); exit(0); }'
contains "^Stability attributes for description BEGIN :$"
contains '^	Minimum Probe Description Attributes'
grep -q '^traced' out && fail "-e traced"
true
# a description is reported once for each program, however many clauses have it
must_trace -e -v -n 'BEGIN { } BEGIN { } END { } BEGIN { }' -n 'BEGIN { }'
same "$(grep -x ':::[A-Z]*' out | tr '\n' ' ')" ":::BEGIN :::END :::BEGIN " descriptions
# -x tree, as the compiler of old counts its passes
trace -e -x tree=5 -n 'BEGIN { trace(1 + 2); }'
same "$(grep -c 'BEGIN' err)" 2 "trees of two passes"
contains '^  do trace' err
contains '^  #1 trace' err
