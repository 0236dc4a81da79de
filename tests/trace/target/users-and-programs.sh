# What: target=user is the real user id, target=exec the name of the process's first thread; one that is not there is reported.
# Needs: setpriv.
. "$LIB"
cat >all.sh <<'S'
sh -c 'exit 1'
setpriv --reuid 65534 --clear-groups sh -c 'exit 2'
setpriv --reuid 54321 --clear-groups sh -c 'exit 3'
"$PWD/dtrace-test-name" -c 'exit 4'
"$PWD/dtrace-test-n" -c 'exit 5'
"$PWD/dtrace-t" -c 'exit 6'
"$PWD/dtrac" -c 'exit 7'
S
for name in dtrace-test-name dtrace-test-n dtrace-t dtrac; do
	cp "$(command -v sh)" $name
done
# traced WANTED OPTION... - the processes, by their status
traced() {
	wanted=$1
	shift
	trace "$@" -n 'syscall::exit_group:entry /arg0/ { printf("%d\n", arg0); }' -c "sh all.sh"
	same "$status $(echo $(cat out))" "0 $wanted" "$*"
}
traced '2' -x target=user:nobody
traced '3' -x target=user:54321
contains '^dtrace: warning: target=user:54321 matches nothing now; it is traced as soon as it is there$' err
traced '4' -x target=exec:dtrace-test-name # of which the kernel keeps 15 bytes
traced '5' -x target=exec:dtrace-test-n
traced '6' -x target=exec:dtrace-t
traced '7' -x target=exec:dtrac
traced '' -x target=exec:dtra
traced '2 4 7' -x target=user:nobody -x target=exec:dtrace-test-name -x target=exec:dtrac
must_trace -x target=user:root -n 'syscall::exit_group:entry /arg0/ { printf("%d\n", arg0); }' -c "sh all.sh"
same "$(echo $(cat out))" "1 4 5 6 7 7" "root, who is there; the last is of all.sh"

# Threads with other names are of the program.
cat >threads.c <<'C'
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>
static void *thread(void *unused)
{
	prctl(PR_SET_NAME, "other");
	for (int i = 0; i < 10; i++)
		getppid();
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	return pthread_join(t, 0);
}
C
cc -o of-threads threads.c -lpthread || skip "cannot compile"
trace -x target=exec:of-threads -n 'syscall::getppid:entry { @[execname] = count(); } END { printa("%s %@u\n", @); }' -c ./of-threads
same "$status $(grep . out)" "0 other 10" "a thread with another name"
