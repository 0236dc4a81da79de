# What: a library at the addresses of the linker's earlier cache is never called ld.so.cache, whether the process still exists at the output or not. Needs: cc.
. "$LIB"
cat >late.c <<'EOF'
#include <sys/syscall.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void inner(void);
void inner(void)
{
	syscall(SYS_umount2, "/nowhere", 0x80000);
	sink++;
}
void loaded_f(int n);
void loaded_f(int n)
{
	inner();
	sink++;
}
EOF
cc -O1 -fno-omit-frame-pointer -shared -fPIC -o late.so late.c || fail "no library"
for i in 1 2 3; do
	must_trace -n 'syscall::umount2:entry /pid == $target/ { @calls = count(); @[ustack(3)] = count(); @u[usym(ucaller), umod(ucaller)] = count(); }
		END { printa("calls %@d\n", @calls); }' -c "$TRIGGERS/loads ./late.so"
	contains '^calls 100$'
	grep -q 'ld\.so\.cache' out && fail "a mapping that was gone"
done
exit 0
