# What: a mistake after an include is told with the script's own line; cpp's failure is told.
printf '#define FOUR 4\n' >four.h
printf '#!/usr/sbin/dtrace -Cs\n#include "four.h"\nBEGIN { FOUR = 4; }\n' >script.d
"$DTRACE" -e -x errtags -C -s script.d
printf '#include <no-such-file.h>\n' >broken.d
"$DTRACE" -e -C -s broken.d 2>&1 | tail -n 1
# What a script finds defined: the version that it is bound to, 64 bits, the system, no GNU C.
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
