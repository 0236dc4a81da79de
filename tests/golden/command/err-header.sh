# What: what dtrace -h refuses, and that it then leaves no file.
try() {
	echo "--- $1"
	printf "$1" >wrong.d
	shift
	"$DTRACE" -h -s wrong.d "$@"
	echo "status $?"
	[ ! -e wrong.h ] || echo "wrong.h is there"
}
try 'provider app1 { probe a(); };'
try 'provider app { probe a(int x, int y) : (int z); probe b(struct s by_value); };'
try 'typedef union u { int a; } u_t; provider app { probe b(u_t by_value); };'
try 'provider app { probe c(int, ...); };'
try 'provider app { probe a(int x); };\nprovider app { probe a(long x); };'
try 'provider app {\n\tprobe a(int x);\n\tprobe a(int x);\n};'
try 'provider app { probe a(int x); probe a(long x); };'
try 'provider app { probe a(int a1, int, int, int, int, int, int, int, int, int, int, int, int); };'
try 'provider app { probe a( };'
try 'BEGIN { } provider app { probe a(); };'
try '#include <stdio.h>\nprovider app { probe a(); };'
try '#pragma D attributes Calm/Stable/Common provider app args\nprovider app { probe a(); };'
try 'int x;'
try ''
try 'provider app { probe a(); };' -o /nowhere/x.h
try 'provider app { probe a(); };' -n 'x:::y'
try 'provider app { probe a(); };' -s wrong.d
"$DTRACE" -h
"$DTRACE" -h -s nowhere.d
"$DTRACE" -h -s - </dev/null
"$DTRACE" -k -n BEGIN 2>&1 | head -n 1
