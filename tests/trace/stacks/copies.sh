# What: the first stacks of a program that nobody named are copied, and are one key with the later ones; what has no room is counted.  Needs: cc.
. "$LIB"
flags="-O2 -fomit-frame-pointer -fno-optimize-sibling-calls"
cat >copied.c <<'C'
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
volatile char sink;
__attribute__((noinline)) void inner(int n)
{
	char room[300];
	memset(room, n, sizeof(room));
	sink = room[3];
	if (n)
		inner(n - 1);
	else
		getppid();
	sink = room[1];
}
__attribute__((noinline)) void call(int times, int wait)
{
	for (int i = 0; i < times; i++) {
		inner(5);
		if (wait)
			usleep(wait);
	}
}
/* TIMES, us between two, bytes of stack between main() and the calls */
int main(int argc, char **argv)
{
	char *room = alloca(atoi(argv[3]) + 1);
	memset(room, 1, atoi(argv[3]) + 1);
	call(atoi(argv[1]), atoi(argv[2]));
	return room[0] - 1;
}
C
probe='syscall::getppid:entry /execname == "cfi_copied" && progenyof($target)/'

# Each run is a program that was never met; it is there until its copies have been walked.
run() { # arguments of the program
	cat >run.sh <<-S
		cp copied cfi_copied
		./cfi_copied $*
		sleep 0.5
	S
}
gcc $flags -o copied copied.c || fail "cannot compile"

run 200 1000 0
trace -x oformat=json -n "$probe { ustack(); }" -c 'sh run.sh'
same "$status $(grep -c '"ustack":' out)" "0 200" "stacks"
same "$(grep -c '"ended":"whole"' out)" 200 "whole stacks"
grep -q "notable\|gone" out && fail "a stack is not whole"

run 200 1000 0
trace -x oformat=json -n "$probe { @[ustack(), execname] = count(); }" -c 'sh run.sh'
same "$status $(grep -o '"value":[0-9][0-9]*' out)" '0 "value":200' "the key of all stacks"
same "$(grep -o '"ended":"[a-z]*"' out)" '"ended":"whole"' "its end"

# As many frames as are asked for.
run 20 1000 0
trace -x oformat=json -n "$probe { ustack(4); @[ustack(4)] = count(); }" -c 'sh run.sh'
same "$status $(awk '/"ustack":/ { print gsub(/"address"/, "") }' out | sort | uniq -c | tr -s ' ')" "0  21 4" "frames"
same "$(grep -o '"value":[0-9][0-9]*' out)" '"value":20' "the key of short stacks"

# Without copies, the first ones are not whole.
run 200 1000 0
trace -x oformat=json -x ustackcopy=0 -n "$probe { ustack(); }" -c 'sh run.sh'
same "$status $(grep -c '"ustack":' out)" "0 200" "stacks without copies"
grep -q '"ended":"notable"' out || fail "nothing ended for want of a table"

# No more than 128 KiB of a stack are copied.  Of what is larger than the room nothing is, which is counted.
run 2000 0 200000
for room in 256k 64k; do
	trace -x oformat=json -x ustackcopy=$room -n "$probe { @[ustack()] = count(); }" -c 'sh run.sh'
	same "$status $(grep -o '"value":[0-9][0-9]*' out | awk -F: '{ n += $2 } END { print n }')" "0 2000" "stacks in $room"
	case $room in
	256k) grep -q '"ended":"unreadable"' out || fail "the end of a large stack was copied" ;;
	64k) grep -q "not copied while unwind tables were made" out || fail "nothing is said of copies without room" ;;
	esac
done
exit 0
