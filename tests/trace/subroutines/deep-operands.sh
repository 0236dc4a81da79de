# What: memory of alloca() and copyin() of constant size is available at any depth of an expression, where operands are in the slot.
. "$LIB"
expression='*(int *)copyin(uregs[R_SP], 4) * 0 + *(int *)alloca(8)'
for depth in $(seq 80); do
	expression="i + ($expression)"
done
must_trace -n "int i; BEGIN { i = 1; trace($expression); exit(0); } ERROR { exit(1); }"
same "$(cat out)" 80 "the sum"
