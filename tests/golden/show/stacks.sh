# Call stacks of a saved run: keys, process, inlined and interpreted functions, kernel; what is missing is said.
data=$(dirname "$0")/stacks.json
echo "== folded"
"$DTRACE" --show=folded "$data"
for name in @t h n none; do
	echo "== $name"
	"$DTRACE" --show=folded -x show=$name "$data" 2>&1 | grep -v ' drops\|truncated'
done
echo "== records"
printf '%s\n' '{"type":"record","data":[{"action":"stack","values":[{"stack":[{"symbol":"b","module":"m"},{"symbol":"a"}]}]}]}' \
	'{"type":"record","data":[{"action":"ustack","values":[{"ustack":[{"symbol":"b","module":"m"}],"pid":4}]},{"action":"trace","values":[1]}]}' \
	'{"type":"exit"}' | "$DTRACE" --show=folded
echo "== speedscope"
"$DTRACE" --show=speedscope "$data" 2>/dev/null
echo "== flamegraph"
"$DTRACE" --show=flamegraph "$data" 2>/dev/null | sed '/<script>/,$d'
echo "== into a file"
echo old >x.svg
"$DTRACE" --show=flamegraph -o x.svg "$data" 2>/dev/null
"$DTRACE" --show=flamegraph "$data" 2>/dev/null | cmp - x.svg && echo same
"$DTRACE" --show=flamegraph -x show=none -o x.svg "$data" 2>/dev/null || echo "status $?"
"$DTRACE" --show=flamegraph "$data" 2>/dev/null | cmp - x.svg && echo "as before"
echo "== mistakes"
for words in '--show=none' '--show=../x' '--show=folded -q' '--show=folded -x quiet' '--show=folded a b' '--show=folded nofile'; do
	# shellcheck disable=SC2086 # several words
	"$DTRACE" $words "$data" </dev/null 2>&1 | sed "s,^.*: invalid,invalid,; s,not one of: .*,not one of: ...),"
done
