# What: wrong letters and combinations: the reason, then the usage, status 2.
try() {
	echo "$ dtrace $*"
	"$DTRACE" "$@" 2>&1 | sed '/^Usage:/,$d'
}
try -y
try -34
try -62
try -n
try -l -l
try -V -G
try -B -l
try -A -B
try -B -G
try -hB
try -B -o file -n BEGIN
"$DTRACE" -y 2>/dev/null
