# What: a mistake after an include is told with the script's own line; cpp's failure is told.
printf '#define FOUR 4\n' >four.h
printf '#!/usr/sbin/dtrace -Cs\n#include "four.h"\nBEGIN { FOUR = 4; }\n' >script.d
"$DTRACE" -e -x errtags -C -s script.d
printf '#include <no-such-file.h>\n' >broken.d
"$DTRACE" -e -C -s broken.d 2>&1 | tail -n 1
