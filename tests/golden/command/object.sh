# What: dtrace -G makes an object; its name, SystemTap's command line, the same bytes each time, mistakes.
echo 'provider app { probe go(int); };' >app.d
"$DTRACE" -G -s app.d && "$DTRACE" -fpic -64 -k -xnolibs -G -s app.d -o other.o && cmp app.o other.o && ls
"$DTRACE" -32 -G -s app.d && cmp app.o other.o
head -c 5 app.o | od -An -c
"$DTRACE" -G -s app.d -o /nowhere/app.o
echo 'provider app { probe go(struct s); };' >wrong.d
"$DTRACE" -G -s wrong.d
ls
"$DTRACE" -G
"$DTRACE" -G -n BEGIN
