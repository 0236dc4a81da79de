# What: a reader requests snapshots and the end of tracing, and nothing else; one that does not read is ended. Needs: cc.
. "$LIB"
mkdir -p show && cp "$DTRACE" dtrace || fail "cannot copy"
DTRACE=$PWD/dtrace
cat >reader.c <<'C'
/* Sends the texts below, in order, waiting for the answer of each snapshot; the answers are its document. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define SNAPSHOT "{\"request\":\"snapshot\"}\n"
static void say(const char *text) { if (write(0, text, strlen(text)) < 0) _exit(3); }
int main(void)
{
	char line[65536];
	int rows = 0;
	setvbuf(stdin, NULL, _IONBF, 0);
#ifdef FIRST
	say(FIRST);
#endif
#ifdef STOPPED
	raise(SIGSTOP);
#endif
	while (fgets(line, sizeof(line), stdin)) {
		int is_row = strstr(line, "\"type\":\"row\"") != NULL;
		if (is_row || strstr(line, "\"type\":\"record\"") || strstr(line, "\"type\":\"exit\""))
			fputs(line, stdout);
		if (is_row && ++rows == 1)
			say(SNAPSHOT);
		else if (is_row && rows == 2)
			say("{\"request\":\"end\"}\n");
	}
	return 0;
}
C
# reader FLAG... - the program that draws -x oformat=folded is this one
reader() {
	gcc -O1 -o show/folded "$@" reader.c || fail "cannot compile"
}
program='BEGIN { @a["x"] = count(); } END { printf("the end\n"); }'

# two snapshots, the end with END's record, the last rows
reader '-DFIRST=SNAPSHOT'
trace -x oformat=folded -n "$program"
same "$status" 0 "status"
[ ! -s err ] || fail "something on standard error"
same "$(sed 's/.*"type":"\([a-z]*\)".*/\1/' out | tr '\n' ' ')" 'row row record row exit ' "lines"
same "$(grep -c '"values":\[1\]' out)" 3 "rows, which no snapshot clears"

# snapshots without end are answered ten times a second
cat >flood.c <<'C'
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#define SNAPSHOT "{\"request\":\"snapshot\"}\n"
int main(void)
{
	char text[4096];
	int rows = 0;
	for (ssize_t n; (n = recv(0, text, sizeof(text), MSG_DONTWAIT)) != 0;) {
		for (ssize_t i = 0; i < n; i++)
			rows += text[i] == '\n';
		send(0, SNAPSHOT, strlen(SNAPSHOT), MSG_DONTWAIT | MSG_NOSIGNAL);
		usleep(100);
	}
	printf("%d\n", rows);
	return 0;
}
C
gcc -O1 -o show/folded -include unistd.h flood.c || fail "cannot compile"
trace -x oformat=folded -n 'BEGIN { @a["x"] = count(); } tick-2s { exit(0); }'
same "$status" 0 "status of a flood"
lines=$(cat out)
[ "$lines" -ge 15 ] && [ "$lines" -le 90 ] || # three of each snapshot
	 fail "$lines lines in two seconds"

# what is not a request ends tracing
reader '-DFIRST="{\"request\":\"clear\"}\n"'
trace -x oformat=folded -n "$program"
same "$status" 1 "status of garbage"
contains 'folded: what the reader has sent is not a request' err

# a reader that is stopped: we wait; the second ^C ends both
reader -DSTOPPED
background -x oformat=folded -x bufsize=64k -n 'BEGIN { @a["x"] = count(); } tick-1ms { printf("%2000d", 1); }'
has_full_socket() {
	grep -q '^State:.S' "/proc/$pid/status" && grep -q 'sock_alloc_send_pskb\|unix_stream' "/proc/$pid/wchan"
}
until_true 20 has_full_socket || fail "it does not wait"
child=$(tr -d ' ' <"/proc/$pid/task/$pid/children")
until_true 20 interrupted || fail "a stopped reader keeps dtrace"
wait "$pid"
contains 'folded was ended by SIGKILL' err
[ ! -e "/proc/$child" ] || fail "the reader is still there"
