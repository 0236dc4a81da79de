# What: long double as this machine has it in memory, 80 bits or IEEE's 128: every conversion, trace(), print().
. "$LIB"
case $(uname -m) in
x86_64) low=0xc000000000000000 high=0x4000 bytes='00 00 00 00 00 00 00 c0 00 40 00 00 00 00 00 00' ;;
*) low=0 high=0x4000800000000000 bytes='00 00 00 00 00 00 00 00 00 00 00 00 00 80 00 40' ;;
esac
must_trace -q -n "BEGIN { this->words = (unsigned long *)alloca(16); this->words[0] = $low; this->words[1] = $high;"'
	this->p = (long double *)this->words;
	printf("[%Le|%LE|%Lf|%Lg|%LG|%f]\n", *this->p, *this->p, *this->p, *this->p, *this->p, *this->p);
	trace(*this->p); print(*this->p); exit(0); }'
contains '3.000000e+00|3.000000E+00|3.000000|3|3|3.000000' out
contains "0: $bytes" out
contains "+3.0000000000000000E+00" out
