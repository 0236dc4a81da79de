# What: hex() and dnsname() of memory of the process and of D, in keys; names without an end; strsize; faults.  Needs: cc.
. "$LIB"
cat >names.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int fd = open("/dev/null", O_WRONLY);
	const char name[] = "\3www\7example\3com\0\0\1";
	return !write(fd, name, sizeof(name)) | !write(fd, "\0", 1) | !write(fd, "\3ww", 3) | !write(fd, "\1\xff\xc0\x0c", 4);
}
C
gcc -o names names.c || fail "no program"
trace -q -n 'syscall::write:entry /pid == $target/ { printf("[%s] %s\n", dnsname(arg1, arg2), hex(arg1, arg2)); @[hex(arg1, 2), dnsname(arg1, 255) == "www.example.com"] = count(); }' -c ./names
same "$status" 0 status
contains '^\[www.example.com\] 03777777076578616d706c6503636f6d00000100$' out
contains '^\[\] 00$' out
contains '^\[ww\.\.\.\] 037777$' out
contains '\.\.\.\] 01ffc00c$' out
contains '^  0377  *1  *1$' out
contains '^  0377  *0  *1$' out
trace -q -x strsize=12 -n 'syscall::write:entry /pid == $target/ { printf("[%s] %s|\n", dnsname(arg1, arg2), hex(arg1, arg2)); }' -c ./names
contains '^\[www.example.\] 037777770765|$' out
contains 'strings truncated to strsize (12 bytes)' err
trace -q -n 'BEGIN { this->p = (char *)alloca(8); this->p[0] = 7; this->i = 0; printf("%s|%s|%s|", hex(this->p, 4), hex(this->p, 0), hex(this->p + this->i++, this->i)); trace(this->i); }
	BEGIN { trace(hex(this->p, 9)); } BEGIN { trace(hex(0, 1)); } ERROR { printf("fault %d ", arg4); } tick-1 { exit(0); }'
contains '^07000000||07|1' out
contains 'fault 1.* fault 1' out
