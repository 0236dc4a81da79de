# What: hints about the intended meaning of impossible programs.
try() {
	echo "$ $*"
	"$DTRACE" -e -x errtags "$@" 2>&1
	echo "status $?"
}
# A text in single quotes is a number.
try -n "BEGIN /probename == 'sh'/ { }"
try -n "BEGIN /'sh' != probename/ { }"
try -n 'BEGIN /probename == 1/ { }'
# On the command line a type's name is a probe's.
try -n 'uint64_t a; BEGIN { }'
try -n 'inline int one = 1; pid_t *a; BEGIN { }'
try -n 'nothing a; BEGIN { }'
printf 'uint64_t a; BEGIN { a = 1; }\n' >it.d
try -s it.d
# Two forms of output at once.
try -B -x oformat=json -n BEGIN
try -x oformat=buffered -B -n BEGIN
# When cpp is needed; missing words; names that a version does not have.
try -n '#include <stdio.h>
	BEGIN { }'
try -n '#defined X
	BEGIN { }'
try -n '#error
	BEGIN { }'
try -n '#line 5 "no end
	BEGIN { }'
try -n '#pragma D attributes x
#pragma D binding
#pragma D depends_on module
	BEGIN { }'
try -x version=1.0 -n 'BEGIN { trace(O_RDONLY); trace(ucaller); fds[0]; strtok; trace(strtok("", "")); }'
