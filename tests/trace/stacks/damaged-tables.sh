# What: a file whose unwind tables are damaged is reported by name, its stacks end there and are not said to be whole, and others are not
# harmed.  Needs: cc x86_64 python3.
. "$LIB"
cat >asks.c <<'C'
#include <unistd.h>
__attribute__((noinline)) void asks(void) { getppid(); __asm__ volatile("" ::: "memory"); }
int main(void) { asks(); return 0; }
C
gcc -O2 -fomit-frame-pointer -o asks asks.c || fail "cannot compile"
python3 - <<'PY' || fail "no section to damage"
import re, subprocess
sections = subprocess.run(["readelf", "-SW", "asks"], capture_output=True, text=True).stdout
at, size = (int(x, 16) for x in re.search(r"\.eh_frame +PROGBITS +\S+ +(\S+) +(\S+)", sections).groups())
image = bytearray(open("asks", "rb").read())
for i in range(at + 8, at + size):
    image[i] ^= 0x5a
open("damaged", "wb").write(image)
PY
chmod +x damaged
for program in asks damaged; do
	trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./$program
	same "$status" 0 "status of $program"
	same "$(grep -c '"symbol":"asks"' out)" 1 "stacks of $program"
	whole=$(grep -c '"ended":"whole"' out) reported=$(grep -c 'damaged: section .eh_frame is damaged at byte [0-9]*' err)
	same "$program $whole $reported" "$([ $program = asks ] && echo asks 1 0 || echo damaged 0 1)" "whole stacks, and messages"
done
exit 0
