# What: debug files come from the servers of DEBUGINFOD_URLS, only if it is set; servers that have none change nothing.  Needs: cc.
. "$LIB"
ldconfig -p | grep -q 'libdebuginfod\.so\.1' || skip "libdebuginfod1 is not installed"
cat >apart.c <<'C'
#include <unistd.h>
static __attribute__((noinline)) int quiet_one(int x)
{
	return write(-1, "", x) + 1;
}
int main(void) { return quiet_one(0) > 5; }
C
gcc -O1 -g -Wl,--build-id -o apart apart.c && objcopy --only-keep-debug apart apart.debug && strip apart || fail "no program"
id=$(readelf -n apart | sed -n 's/.*Build ID: //p')
mkdir -p "servers/buildid/$id" empty && cp apart.debug "servers/buildid/$id/debuginfo"
export DEBUGINFOD_CACHE_PATH=$PWD/cache
script='syscall::write:entry /pid == $target/ { ustack(2); exit(0); }'
(
	DEBUGINFOD_URLS="file://$PWD/empty file://$PWD/servers"
	export DEBUGINFOD_URLS
	must_trace -x ustacklines -n "$script" -c ./apart
) || exit 1
contains 'apart`quiet_one+0x[0-9a-f]* at .*apart\.c:4$'
rm -rf cache
(
	export DEBUGINFOD_URLS="file://$PWD/empty"
	must_trace -n "$script" -c ./apart
) || exit 1
grep -q quiet_one out && fail "a name from nowhere"
contains 'apart`0x'
unset DEBUGINFOD_URLS
LD_DEBUG=files "$DTRACE" -x ustacklines -qn "$script" -c ./apart >out 2>err || fail "status $?"
grep -q libdebuginfod err && fail "the library is loaded without a wish"
grep -q quiet_one out && fail "a name without a server"
exit 0
