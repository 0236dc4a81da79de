# What: a program that starts 1,000 times while a function of its library is traced in every process: no call is missed.  Needs: uprobe cc.
# Executors: kernel (every process).
. "$LIB"
name=libstart$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
echo '__attribute__((noinline)) long start_add(long a) { return a + 1; }' >library.c
printf 'long start_add(long);\nint main(void) { return start_add(start_add(1)) != 3; }\n' >program.c
gcc -O1 -shared -fPIC -o "$name.so" library.c && gcc -O1 -o program program.c "$PWD/$name.so" || fail "cannot compile"
cat >many.c <<'C'
#include <spawn.h>
#include <sys/wait.h>
extern char **environ;
int main(void)
{
	char *words[] = { "./program", 0 };
	for (int i = 0; i < 1000; i++) {
		pid_t pid;
		int status;
		if (posix_spawn(&pid, words[0], 0, 0, words, environ) || waitpid(pid, &status, 0) != pid || status) return 1;
	}
	return 0;
}
C
gcc -o many many.c || fail "cannot compile"
must_trace -n "pid*:$PWD/$name.so:start_add:entry { @ = count(); @p[pid] = count(); } pid*:$PWD/$name.so:start_add:return { @r = sum(arg1); }
	END { printa(\"%@d\\n\", @); printa(\"%@d\\n\", @r); printa(\"each %@d\\n\", @p); }" -c ./many
same "$(grep '^[0-9]' out | tr '\n' ' ')" "2000 5000 " "calls"
same "$(grep -c '^each 2$' out)" 1000 "processes"
