# What: what this version cannot do is refused in words, status 1.
for letter in G h A a; do
	"$DTRACE" -$letter -n BEGIN
	echo "status $?"
done
"$DTRACE" -32 -n BEGIN
"$DTRACE" -x grabanon -n BEGIN
echo "status $?"
