# What: a library's clauses are compiled when something of its file is used, and never enabled; their mistakes count.
mkdir one
printf 'inline int good = 1;\nBEGIN { x = good; trace(x); @a = count(); system("true"); } tick-1s { exit(9); }\n' >one/good.d
printf 'inline int bad = 2;\nBEGIN { x = nothing; }\nno::such:probe { }\nBEGIN /x { }\nBEGIN { x = ; }\n' >one/bad.d
printf '#pragma D depends_on library bad.d\ninline int third = 3;\nEND { y = other; }\ninline int fourth = 4;\n' >one/third.d
printf 'inline int other = 3;\nEND { z = *1; }\n' >one/other.d
printf 'inline int less[int amount] = (amount)-1;\n' >one/less.d
try() {
	echo "$ $*"
	"$DTRACE" -x syslibdir=one -e -x errtags -x dump=typed "$@" 2>&1
	echo "status $?"
}
try -n 'BEGIN { trace(good); }'
try -n 'BEGIN { trace(good); }' -n 'BEGIN { x = "of the program"; @a = max(good); }'
try -n 'BEGIN { trace(x); trace(good); }'
try -n 'BEGIN { trace(bad); }'
try -n 'BEGIN { trace(third); }'
try -n 'BEGIN { trace(5); }'
try -Z -n 'BEGIN { x = 1; trace(good); }'
# A type of the program is unknown in the text of a library.
try -n 'typedef char amount; BEGIN { trace(less[5]); }'
