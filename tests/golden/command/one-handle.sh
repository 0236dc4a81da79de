# What: the programs of one command share options, types, inlines, translators and variables, in their order.
try() {
	echo "$ dtrace $*"
	"$DTRACE" -e -x dump=typed "$@" 2>&1
	echo "status $?"
}
printf '#pragma D option errtags\n#pragma D option zdefs\nBEGIN { }\n' >options.d
printf 'BEGIN { nothing; }\n' >mistake.d
try -s options.d -s mistake.d
try -s mistake.d -s options.d
try -s options.d -n 'syscall::no_such_call:entry { }'
try -n 'struct in { int a; }; struct out { int b; }; translator struct out < struct in *I > { b = I->a; };
	inline int twice[int n] = 2 * n; typedef short short_t; enum { FOUR = 4 };' \
	-n 'BEGIN { trace(xlate <struct out>((struct in *)8).b); trace(twice[FOUR]); trace((short_t)5); }'
try -i '1 { global = "a"; }' -P 'dtrace { self->x = 1; }' -P 'dtrace { this->y = global; }' \
	-n 'END { trace(global); trace(self->x); trace(this->y); }' | grep trace
try -n 'BEGIN { trace(later); }' -n 'inline int later = 1;'
try -n 'BEGIN { x = 1; }' -n 'END { x = "a"; }'
