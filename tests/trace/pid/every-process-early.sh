# What: pid*:libx.so:f:entry, of a new build: each process that ended, or executed another program before its probes were in place is reported once, also one that ends while they are attached; others are whole, and not reported.  Needs: uprobe cc python3.
# Executors: kernel (every process).
. "$LIB"
name=libearly$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
echo '__attribute__((noinline)) long early_add(long a) { return a + 1; }' >library.c
# brief N: calls N times; brief N forks: so does a child; brief N executes: then it executes a program; brief N FILE: and again when the file is there
cat >brief.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
long early_add(long);
static void call(long n) { for (long i = 0; i < n; i++) early_add(i); }
int main(int count, char **values)
{
	long n = atol(values[1]);
	int child = count > 2 && !strcmp(values[2], "forks") ? fork() : -1;
	call(n);
	if (count < 3 || !child) return 0;
	if (child > 0) return wait(0) != child;
	if (!strcmp(values[2], "executes")) execl("/bin/true", "true", (char *)0);
	close(creat("called", 0600));
	while (access(values[2], F_OK)) usleep(5000);
	call(n);
	return 0;
}
C
gcc -O1 -shared -fPIC -Wl,-soname,"$name.so" -o build.so library.c && cp build.so "$name.so" &&
	gcc -O1 -w -o brief brief.c "$name.so" -Wl,-rpath,"$PWD" || fail "cannot compile"
start() {
	background -Zxdebug -n "BEGIN { printf(\"begun\\n\"); } pid*:$name:early_add:entry { @[pid] = count(); } END { printa(\"%d %@d\\n\", @); }"
	trap 'kill -CONT "$pid"; kill "$pid" $stays 2>/dev/null' EXIT # also when it fails
	until_true 20 grep -qs begun out || fail "tracing has not begun"
}
end() {
	kill -INT "$pid"
	wait "$pid"
	same "$?" 0 status
}
files_are='before the probes of files first mapped by'

# --- dtrace cannot look at them before they have ended
start
kill -STOP "$pid"
for i in 1 2 3 4 5 6 7 8; do ./brief 3 & all="$all $!"; done
wait $all
./brief 3 forks
./brief 3 executes
./brief 7 gate & stays=$!
until_true 20 test -e called || fail "the program has not started"
kill -CONT "$pid"
is_traced() { ! text_is_clean "$stays"; }
until_true 20 is_traced || fail "the library is not traced"
sleep 0.2 # its process may see the probe before dtrace is back from the call that made it
./brief 5 & later=$!
wait $later
touch gate
wait $stays
end
same "$(awk 'NF == 2 { n[$1] = $2; sum++ } END { print n['$stays'], n['$later'], sum }' out)" "7 5 2" "calls of processes"
same "$(grep "$files_are" err | sed 's/up to [0-9.]* ms/up to MS/')" "dtrace: 10 processes ended $files_are them were in place: what they fired is not traced
dtrace: 1 process executed another program $files_are it were in place: what it fired until then is not traced
dtrace debug: 1 other processes ran for up to MS $files_are them were in place" "messages"

# --- it looks at once: who ends meanwhile is traced whole, or reported
start
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	mkdir "$i" && cp build.so "$i/$name.so" # another file
	LD_LIBRARY_PATH=$PWD/$i ./brief 100
	sleep 0.1
done
end
whole=$(awk 'NF == 2 && $2 == 100 { n++ } END { print n + 0 }' out)
reported=$(awk -v words="$files_are" 'index($0, words) { for (i = 1; i < NF; i++) if ($i ~ /^[0-9]+$/) { n += $i; next } } END { print n + 0 }' err)
[ $((whole + reported)) -ge 12 ] || fail "of 12 processes $whole are whole, but only $reported reported"
[ "$reported" -le 12 ] || fail "of 12 processes $reported are reported"

# --- nobody can say what is in a file that is deleted before it is looked at
start
kill -STOP "$pid"
mkdir gone && cp build.so "gone/$name.so"
LD_LIBRARY_PATH=$PWD/gone ./brief 100
rm -r gone
kill -CONT "$pid"
end
same "$(grep 'cannot be probed' err | cut -d: -f1-2)" "dtrace: a new file of $name.so cannot be probed" "messages"
