# What: --help and --version answer on standard output, status 0; -h says what it is.
"$DTRACE" --help 2>/dev/null | sed -n '1p;/^Options/p;/^bufsize/p'
"$DTRACE" --version
"$DTRACE" -h
