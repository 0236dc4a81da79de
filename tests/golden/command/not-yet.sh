# What: what this version cannot do is refused in words, status 1.
for letter in G h A a; do
	"$DTRACE" -$letter -n BEGIN
	echo "status $?"
done
"$DTRACE" -32 -n BEGIN
for option in unodefs grabanon; do
	"$DTRACE" -x $option -n BEGIN
	echo "status $?"
done
