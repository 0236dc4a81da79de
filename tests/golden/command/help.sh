# What: --help and --version print on standard output, status 0; -h prints the letters; long names are letters, may be
# abbreviated if they are unique, and take their argument with or without a "=".
"$DTRACE" --help 2>/dev/null | sed -n '1p;/^	-q/p;/^Options/p;/^bufsize/p'
"$DTRACE" --version
"$DTRACE" -h
"$DTRACE" --list --name=BEGIN
"$DTRACE" --list --prov dtrace
"$DTRACE" --nam 2>&1 | head -n 1
