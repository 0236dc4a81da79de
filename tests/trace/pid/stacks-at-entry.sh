# What: at a function's entry its caller is the second frame, once, however deep it calls itself.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
[ "$EXECUTOR" = process ] && all='-x processsites=all'
# shellcheck disable=SC2086 # words
must_trace $all -n 'pid$target::*_leaf:entry, pid$target::*_outer:entry { printf("%s from ", probefunc); printf("%A, depth %d", ucaller,
		ustackdepth); ustack(12); ustack(2); }' -c "$TRIGGERS/stacks 4"
# names FUNCTION - the frames of its stacks, without offsets
names() {
	awk -v name="$1" '$2 == "from" { on = $1 == name; next } on && NF { sub(/.*`/, ""); sub(/\+.*/, ""); print }' out |
		grep -v '^0x\|^_*libc_start\|^_start' | tr '\n' ' '
}
for form in pushed padded; do
	f=${form}_inner
	same "$(names ${form}_outer)" "${form}_outer main ${form}_outer main " "stacks of ${form}_outer"
	same "$(names ${form}_leaf)" "${form}_leaf $f $f $f $f $f ${form}_outer main ${form}_leaf $f " "stacks of ${form}_leaf"
	contains "^${form}_leaf from stacks.${form}_inner+0x"
	contains "^${form}_outer from stacks.main+0x"
done
# Without frame pointers, the caller at least.
case $(names frameless_leaf) in
"frameless_leaf frameless_inner "*) ;;
*) fail "stack of frameless_leaf: $(names frameless_leaf)" ;;
esac
contains '^frameless_leaf from stacks.frameless_inner+0x'
depth=$(sed -n 's/^pushed_outer .*depth //p' out)
same "$(sed -n 's/^pushed_leaf .*depth //p' out)" "$((depth + 6))" "depth of the leaf"

# At its return a function's caller is where it returned to.
must_trace -n 'pid$target::padded_outer:return { usym(ucaller); }' -c "$TRIGGERS/stacks"
contains "stacks.main *$"
