# What: entry(EXPR) at returns of functions of the kernel, by fexit and by return probes: what has changed by then, recursion, the time of the call.
# Needs: kprobe btf.
. "$LIB"
cat >calls.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	char buffer[100];
	int fd = open("/dev/zero", O_RDONLY);
	for (int i = 1; i <= 10; i++) read(fd, buffer, i);
	return 0;
}
C
gcc -O1 -o calls calls.c || fail "cannot compile"
# More functions than those that fexit is used for make the same by return probes.
others=$("$DTRACE" -ln 'fbt:vmlinux:vfs_*:return' | awk '$2 == "fbt" && $4 != "vfs_read" { print "fbt:vmlinux:" $4 ":return" }' | head -n 21 | tr '\n' ',')
for more in '' "${others%,} /pid == 1 && entry(arg0) == 1/ { trace(1); }"; do
	must_trace -c ./calls -n 'fbt:vmlinux:vfs_read:return /pid == $target && entry(arg2) < 11 && arg1 == entry(arg2)/ { @n = sum(entry(arg2)); @bad = sum(entry(args[2]) != arg1 || entry(probename) != "entry" ||
		timestamp < entry(timestamp)); } END { printa("%@d ", @n); printa("%@d\n", @bad); }'" $more"
	same "$(cat out)" "55 0" "values of vfs_read()${more:+ by return probes}"
done
exit 0
