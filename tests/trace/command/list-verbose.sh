# What: -lv adds attributes and argument types.  Needs: btf.
. "$LIB"
must_trace -lv -n 'syscall::read:entry'
for line in '	Probe Description Attributes' '	Argument Attributes' '	Argument Types' \
	'		Identifier Names: [A-Z][a-z]*' '		args\[0\]: .*int.*'; do
	grep -qx "$line" out || fail "no line $line"
done
must_trace -lv -n BEGIN
grep -A 1 'Argument Types' out | grep -qx '		None' || fail "BEGIN has arguments"
