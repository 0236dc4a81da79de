# What: options that a program sets for itself, those of the parser too; those that it cannot set.
try() { # try TEXT ARGUMENT...
	printf "$1" >script.d
	shift
	echo '$ dtrace -s script.d' "$*, script.d:"
	cat script.d
	"$DTRACE" -e -s script.d "$@"
	echo "status $?"
}
try '#pragma D option defaultargs\nBEGIN { trace($1); trace($$2); }\n'
try '#pragma D option defaultargs=no\nBEGIN { trace($1); }\n' -x defaultargs
try 'BEGIN { trace($1); }\n#pragma D option defaultargs\n'
try '#pragma D option argref\nBEGIN { }\n' one two
try '#pragma D option pspec\nBEGIN\nEND\n'
try '#pragma D option empty\n'
try '#pragma D option empty=off\n' -x empty
try '#pragma D option errtags\nBEGIN { trace(nothing); }\n'
try '#pragma D option zdefs\nsyscall::no_such_call:entry { }\n'
try '#pragma D option quite\nBEGIN { }\n'
try '#pragma D option strsize=x\nBEGIN { }\n'
try '#pragma D option cpppath=/bin/false\nBEGIN { }\n'
try '#pragma D option strsize = 4\nBEGIN { }\n'
# The command is created before its program is read.
try '#pragma D option childkeep\n#pragma D option cshell\n#pragma D option evaltime=main\nBEGIN { }\n' -c true
try '#pragma D option childkeep\nBEGIN { }\n'
