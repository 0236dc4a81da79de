# What: --help and --version answer on standard output, status 0; -h says what it is; long names
# are letters, may be cut while they are clear, and take their argument with or without a "=".
"$DTRACE" --help 2>/dev/null | sed -n '1p;/^	-q/p;/^Options/p;/^bufsize/p'
"$DTRACE" --version
"$DTRACE" -h
"$DTRACE" --list --name=BEGIN
"$DTRACE" --list --prov dtrace
"$DTRACE" --nam 2>&1 | head -n 1
