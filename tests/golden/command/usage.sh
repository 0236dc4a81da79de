# What: no arguments at all: the usage text, status 2.
"$DTRACE"
