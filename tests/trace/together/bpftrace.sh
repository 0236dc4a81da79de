# What: a command is held where bpftrace has a probe at the linker's call for debuggers, and bpftrace counts as alone.  Needs: uprobe bpftrace cc.
. "$LIB"
. "${LIB%/*}/together/programs.inc"
bpftrace -e "BEGIN { printf(\"begun\\n\"); } uprobe:$PWD/ld.so:_dl_debug_state { @[comm] = count(); }" >counted 2>&1 &
other=$!
trap 'kill -INT $other 2>/dev/null' EXIT
until_true 20 grep -q begun counted || fail "bpftrace does not begin: $(cat counted)"
for i in 1 2 3; do
	traced_alike "run $i" "$all_functions"
done
./work >/dev/null
kill -INT $other
wait $other
same "$(sed -n 's/@\[work\]: //p' counted)" 8 "what bpftrace has counted"
