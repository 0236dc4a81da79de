# What: what this version cannot do is refused in words, status 1.
"$DTRACE" -32 -n BEGIN
