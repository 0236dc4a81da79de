# What: a mistake after an include is reported with the script's own line; a failure of cpp is reported.
printf '#define FOUR 4\n' >four.h
printf '#!/usr/sbin/dtrace -Cs\n#include "four.h"\nBEGIN { FOUR = 4; }\n' >script.d
"$DTRACE" -e -x errtags -C -s script.d
printf '#include <no-such-file.h>\n' >broken.d
"$DTRACE" -e -C -s broken.d 2>&1 | tail -n 1
# Macros that a script finds defined: the version to which it is bound, 64 bits, the system, no GNU C.
cat >symbols.d <<'END'
#if __SUNW_D != 1 || __SUNW_D_64 != 1 || __linux != 1 || __unix != 1 || __SVR4 != 1 || !defined(__Linux)
#error a symbol is missing
#endif
#if !defined(__amd64) && !defined(__aarch64__) || defined(__GNUC__)
#error the machine or the compiler
#endif
#if __SUNW_D_VERSION != BOUND
#error another version
#endif
BEGIN { trace(GIVEN); }
END
for options in "-DBOUND=0x02000001 -DGIVEN=1" "-DBOUND=0x01005000 -xversion=1.5 -DGIVEN=1" \
	"-DBOUND=0x01006003 -xversion=1.6.3 -DGIVEN=1 -UGIVEN" "-Xs -DBOUND=0x02000001 -DGIVEN=1"; do
	echo "$options"
	"$DTRACE" -e -C -s symbols.d $options
done
for cpp in /nonexistent /etc/passwd /bin/false; do
	"$DTRACE" -e -C -s symbols.d -x cpppath=$cpp
done
# Text of the command line is not preprocessed.
"$DTRACE" -e -C -DTHREE=3 -n 'BEGIN { trace(THREE); }' 2>&1 | head -n 1
# -X chooses the standard: -Xs an old preprocessor, which joins words separated by a comment; -Xc only the standard.
printf '#define JOIN(a,b) a/**/b\nBEGIN { trace(JOIN(x,y)); }\n' >join.d
cat >standard.d <<'END'
#if defined(__STDC_VERSION__) && __STDC_VERSION__ == 199901L
BEGIN { trace("C99"); }
#endif
#ifdef _DEFAULT_SOURCE
BEGIN { trace("and more"); }
#endif
END
for standard in -Xa -Xc -Xt -Xs; do
	echo "$standard: $("$DTRACE" -e -C -x dump=typed $standard -s standard.d 2>&1 | sed -n 's/.*trace(\(.*\) : string)/\1/p' | tr '\n' ' ')"
	"$DTRACE" -e -C $standard -s join.d 2>&1 | head -n 1
done
# -H lists the headers; -I adds their folders, -D comes before -U.
mkdir here
printf '#define FIVE 5\n' >here/five.h
printf '#include "four.h"\n#include <five.h>\nBEGIN { trace(FOUR + FIVE); }\n' >headers.d
"$DTRACE" -e -C -H -I here -s headers.d 2>&1 | grep '^\.'
"$DTRACE" -e -C -I nowhere -s headers.d 2>&1 | tail -n 1
"$DTRACE" -e -C -U GIVEN -DBOUND=0x02000001 -DGIVEN=1 -s symbols.d
# Without -C, directives of the preprocessor are not D; its output is.
printf '#define X 1\nBEGIN { }\n' >plain.d
"$DTRACE" -e -x errtags -s plain.d
printf '# 1 "x.h" 1\n# 3 "plain.d" 2\nBEGIN { nothing; }\n' >plain.d
"$DTRACE" -e -s plain.d
