# What: a program that depends on a module or a provider is refused where that is missing.
try() {
	printf '#pragma D depends_on %s\nBEGIN { }\n' "$*" >depends.d
	echo "$ depends_on $*"
	"$DTRACE" -e -x errtags -s depends.d
	echo "status $?"
}
try module nowhere
try provider syscall
try provider nowhere
