# What: with follow=private children wait for their own links: none of their calls is missed, and no stranger stops.  Needs: uprobe uprobe_multi cc.
. "$LIB"
if ! grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms; then
	trace -x follow=private -n 'pid$target:a.out:work:entry' -c "$TRIGGERS/family call 1"
	same "$status" 1 "status where the kernel cannot hold a child"
	contains 'follow=private needs a kernel that holds a child before its first instruction' err
	exit 0
fi

# traced PROGRAM COMMAND - again, at most five times, if a child could not wait long enough on a busy machine
traced() {
	for _ in 1 2 3 4 5; do
		trace -Z -x follow=private -n "$1" -c "$2"
		grep -q 'could not wait for probes' err || break
	done
	[ "$status" -eq 0 ] || fail "status $status"
	[ -s err ] && fail "something on standard error"
	return 0
}

traced 'pid$target:a.out:work:entry { @all = count(); @by[pid] = count(); @tree[target == $target, probeprov] = count(); }
	END { printa("all %@u\n", @all); printa("process %@u\n", @by); printa("tree %d %s %@u\n", @tree); }' "$TRIGGERS/family forks 500 pid"
contains '^all 10000$'
same "$(grep -c "^process 10$" out)" 1000 "processes with 10 calls"
contains "^tree 1 pid$(head -n 1 out) 10000\$"

# Several at once, and their returns.
traced 'pid$target:a.out:work:entry { self->n = arg0; } pid$target:a.out:work:return /arg1 == self->n + 1/ { @all = count(); }
	END { printa("all %@u\n", @all); }' "$TRIGGERS/family call 5 storm 100"
contains '^all 1005$'
# Programs that 50 children execute at once, each of which loads libraries.
cat >many.sh <<'S'
for i in $(seq 50); do "$TRIGGERS/calls" 1 >/dev/null & done
wait
S
export TRIGGERS
traced 'pid$target:calls:some_function:entry { @all = count(); } END { printa("all %@u\n", @all); }' "sh many.sh"
contains '^all 50$'
trace -x follow=private -x pidret=kernel -n 'pid$target:a.out:work:return' -c "$TRIGGERS/family call 5"
same "$status" 1 "status with kernel return probes"

# Programs that children execute, also those of vfork(), and what they load.
cat > program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { __asm__ volatile(""); return n + 1; }
int main(int argc, char **argv)
{
	unsigned char before[8];
	char byte;
	int n = argc > 1 ? atoi(argv[1]) : 0;
	memcpy(before, (void *)leaf, sizeof(before));
	for (int i = 0; i < 10; i++)
		leaf(i);
	for (int i = 0; i < n; i++) {
		if (vfork() == 0) {
			execl(argv[0], argv[0], "0", (char *)NULL);
			_exit(1);
		}
		wait(NULL);
	}
	if (n < 0)
		write(1, "ready\n", 6);
	if (n < 0 && read(0, &byte, 1) == 1)
		puts(memcmp(before, (void *)leaf, sizeof(before)) ? "changed" : "same");
	return 0;
}
C
gcc -O1 -o program program.c || fail "cannot compile"
traced 'pid$target:program:leaf:entry { @all = count(); @by[pid] = count(); } END { printa("all %@u\n", @all); printa("process %@u\n", @by); }' \
	"$PWD/program 20"
contains '^all 210$'
same "$(grep -c "^process 10$" out)" 21 "processes with 10 calls"
traced 'pid$target:program:leaf:entry { @all = count(); } END { printa("all %@u\n", @all); }' "$TRIGGERS/family run 10 $PWD/program"
contains '^all 100$'

# A stranger that runs the same file has breakpoints in its code with follow=all, and none with follow=private.
cat > steps.sh <<'S'
./program 3
echo >go
until grep -q '^same\|^changed' seen; do sleep 0.05; done
./program 3
S
for case in all:changed private:same; do
	rm -f go seen
	mkfifo go
	./program -1 <>go >seen &
	until [ -s seen ]; do sleep 0.05; done
	trace -Z -x follow="${case%%:*}" -n 'pid$target:program:leaf:entry { @all = count(); } END { printa("all %@u\n", @all); }' -c 'sh steps.sh'
	same "$status" 0 "status with a stranger"
	contains '^all 80$'
	same "$(tail -n 1 seen)" "${case#*:}" "the stranger's code with follow=${case%%:*}"
	wait
done
