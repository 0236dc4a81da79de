# What: -l shows static probes of a process, -lv the types that the operands' sizes say; names that do not fit are explained; damaged notes spoil nothing else.  Needs: uprobe.
# Executors: kernel (a static probe has no place for a jump).
. "$LIB"
must_trace -ln 'trig$target:::' -c "$TRIGGERS/statics"
contains ' trig[0-9]* *statics *first_sites sites$'
contains ' trig[0-9]* *statics *one_more_site sites$'
contains ' trig[0-9]* *statics *texts text-given$'
must_trace -lvn 'trig$target:::memory,trig$target:::plain,trig$target::one_more_site:sites' -c "$TRIGGERS/statics"
for type in '0\]: uint64_t' '1\]: int32_t' '2\]: uint16_t' '3\]: int8_t' '4\]: uint64_t' '0\]: int32_t'; do
	contains "^		args\[$type\$"
done
contains '^		None$'
must_trace -ln '*$target:::' -c "$TRIGGERS/statics"
contains ' trig[0-9]* *statics *texts plain$'

# Without a description, as all others.
"$TRIGGERS/statics" 1000000 1000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target statics
must_trace_all -l
contains ' trig[0-9][0-9]* *statics *texts text-given$'
contains ' dtrace *BEGIN$'
kill "$target"

refused() {
	description=$1
	shift
	trace "$@" -n "$description { n++; }" -c "$TRIGGERS/statics"
	same "$status" 1 "status of $description"
}
refused 'trug$target:::'
contains 'no file of process [0-9]* has such static probes; its providers are trig (-Z waits' err
refused 'trig$target:libc.so.6::'
contains 'module libc.so.6 of process [0-9]* has no static probes' err
refused 'trig$target:::twelf'
contains 'did you mean trig[0-9]*:::twelve?' err
refused 'trig$target:::twelve { trace(args[12]); } trig$target:::plain'
contains 'args\[12\] does not exist: the probe has 12 typed arguments' err
trace -n 'trig0:::plain'
contains 'trig0 does not contain a valid pid' err
trace -n 'trig999999999:::plain'
contains 'there is no process 999999999' err
# A provider of other systems whose name ends in a digit: no complaint that process 2 cannot be grabbed.
if grep -q "(kthreadd)" /proc/2/stat 2>/dev/null; then
	trace -n 'nfsv2:::op'
	contains 'there is no provider nfsv2, and process 2 is a thread of the kernel' err
fi

# The same program, its notes truncated in the middle: the notes before are found, and the rest is reported.
objcopy -O binary --only-section=.note.stapsdt --set-section-flags .note.stapsdt=alloc "$TRIGGERS/statics" notes || fail "no notes"
head -c 300 notes >short
objcopy --update-section .note.stapsdt=short "$TRIGGERS/statics" damaged 2>/dev/null || fail "cannot cut"
trace -n 'trig$target::: { @[probename] = count(); } pid$target:a.out:twelve:entry { @["entry"] = count(); }
	END { printa("%s %@d\n", @); }' -c ./damaged
same "$status" 0 "status with damaged notes"
contains '^signed 1$'
contains '^entry 1$'
contains 'some static probe of damaged cannot be probed: section .note.stapsdt is damaged at byte [0-9]* of 300' err
grep -q 'cannot be probed' err && [ "$(grep -c 'cannot be probed' err)" -ne 1 ] && fail "more is reported than is wrong"

# A note that cannot be probed is reported by its probe's name, for descriptions that mean it and for no others.
cat >wrong.c <<'C'
#include "notes.h"
const unsigned short constant __asm__("constant_word") = 1;
__attribute__((noinline)) void first(void)
{
	STATIC_PROBE("wrong", "read__only", "constant_word", "", "n"(0));
	STATIC_PROBE("wrong", "other__one", "constant_word", "", "n"(0));
	STATIC_PROBE("wrong", "right", "0", "", "n"(0));
}
int main(void) { first(); return 0; }
C
gcc -O1 -w -I "$checkout/tests/trace/triggers" -o wrong wrong.c || fail "cannot compile"
must_trace -n 'wrong$target:::right { @ = count(); }' -c ./wrong
must_trace -n 'wrong$target::first:right { @ = count(); }' -c ./wrong
trace -n 'wrong$target:::r* { @ = count(); }' -c ./wrong
same "$status" 0 "status with one wrong note"
contains 'first:read-only of wrong cannot be probed: its semaphore is not where the kernel can count' err
grep -q other-one err && fail "a note that is not meant is reported"
trace -n 'wrong$target::first: { @ = count(); }' -c ./wrong
same "$(grep -c 'cannot be probed' err)" 2 "wrong notes of one function"
trace -n 'wrong$target:::read-only { @ = count(); }' -c ./wrong
same "$status" 1 "status with nothing but a wrong note"
contains 'does not match any probes: read-only of wrong cannot be probed' err

# A library that cannot be read is reported where its probes could be meant; what is no ELF file has none.
cat >maps.c <<'C'
#include <fcntl.h>
#include <sys/mman.h>
#include "notes.h"
int main(int count, char **names)
{
	for (int i = 1; i < count; i++)
		mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(names[i], O_RDONLY), 0);
	STATIC_PROBE("wrong", "maps", "0", "", "n"(0));
	for (;;) pause();
}
C
gcc -O1 -w -include unistd.h -I "$checkout/tests/trace/triggers" -o maps maps.c || fail "cannot compile"
{ printf '\177ELF\001\002\001'; head -c 4096 /dev/zero; } >old.so
head -c 4096 /dev/urandom | tr E F >cache.bin
./maps old.so cache.bin &
target=$!
has_mapped() { grep -qs cache.bin "/proc/$target/maps"; }
until_true 10 has_mapped || fail "nothing is mapped"
trace -n 'wrong$target::: { } BEGIN { exit(0); }' -p "$target"
same "$status" 0 "status with an old library"
contains 'some static probe of old.so cannot be probed: .*not a little-endian ELF file of 32 or 64 bits' err
grep -q cache.bin err && fail "what is no program is reported"
must_trace -n 'wrong$target:maps:: { } BEGIN { exit(0); }' -p "$target"
grep -q old.so err && fail "a library that is not meant is reported"
kill "$target"
exit 0
