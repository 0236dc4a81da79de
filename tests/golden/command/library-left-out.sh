# What: a program that uses a name of a library gets messages about its wrong control lines, and why a library is left out.
mkdir lib
printf '#pragma D depends_on library none.d\ninline int of_missing = 1;\ntypedef int missing_t;\n' >lib/missing.d
printf 'inline int of_other = 1;\n#pragma D depends_on library missing.d\n' >lib/other.d
printf '#pragma D depends_on module no_such_module\ninline int of_module = 1;\n' >lib/module.d
printf '#pragma D depends_on thing x\ninline int of_thing = 1;\n' >lib/thing.d
printf '#pragma D depends_on\ninline int of_words = 1;\n' >lib/words.d
printf '#pragma D nonsense\ninline int of_nonsense = 1;\n' >lib/nonsense.d
printf 'inline int of_error = 1;\n#error on purpose\n' >lib/error.d
printf '#include <stdio.h>\ninline int of_include = 1;\n' >lib/include.d
printf '#!/usr/sbin/dtrace -s\n#\n#ident "x"\n#pragma other\n# 7 "x"\n#line 8\ninline int fine = 1;\n' >lib/fine.d
try() {
	echo "$ $*"
	"$DTRACE" -x syslibdir=lib -e -x errtags -x dump=typed -n "$1" 2>&1
	echo "status $?"
}
for name in missing other module thing words nonsense error include; do
	try "BEGIN { trace(of_$name); }"
done
try 'BEGIN { trace(sizeof(missing_t)); trace((missing_t)1); }'
try 'inline missing_t x = 1;'
try 'BEGIN { trace(fine); }'
mkdir -p named/folder.d
echo 'inline int named = 1;' >named/fine.d
echo '$ -L named'
"$DTRACE" -x syslibdir=lib -L named -e -x dump=typed -n 'BEGIN { trace(named); }' 2>&1
echo "status $?"
