# What: what this version cannot do is refused in words, status 1.
for letter in G h; do
	"$DTRACE" -$letter -n BEGIN
	echo "status $?"
done
"$DTRACE" -32 -n BEGIN
echo "status $?"
