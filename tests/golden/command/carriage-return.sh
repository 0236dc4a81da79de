# What: a first line (#!) that ends in CR LF is named as the reason; a program's lines may end so.
printf '#!/usr/sbin/dtrace -qs\r\nBEGIN\r\n{\r\n\texit(0);\r\n}\r\n' >windows.d
for words in '-qs' '-q -s' '-s'; do
	"$DTRACE" "$words$(printf '\r')" ./windows.d
	echo "status $?"
done
"$DTRACE" -e -s ./windows.d
echo "status $?"
