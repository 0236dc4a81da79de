# What: a process that executes another program, damages the memory of -x executor=process, or is killed ends its own trace alone.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cat >other.c <<-'END'
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		unsigned long begin = 0, end = 0, words;
		char line[512], flags[512] = "", before[512] = "";
		FILE *f = fopen("/proc/self/smaps", "r");
		while (fgets(line, sizeof(line), f)) {
			if (!begin && strstr(line, "memfd:dtrace"))
				sscanf(line, "%lx-%lx", &begin, &end);
			else if (!begin && !strncmp(line, "VmFlags", 7)) {
				strcpy(before, flags);
				strcpy(flags, line);
			}
			else if (begin && !strncmp(line, "VmFlags", 7))
				break;
		}
		fclose(f);
		printf("own %s", strstr(flags, " wf") ? flags : before); /* the kept page is next to it */
		printf("memory %s", line);
		fflush(stdout);
		words = (end - begin) / 8;
		if (!strcmp(argv[1], "exec"))
			execl("/bin/sleep", "sleep", "0.3", NULL);
		if (!strcmp(argv[1], "kill"))
			kill(getpid(), SIGKILL);
		srand(1);
		for (unsigned long i = 0; !strcmp(argv[1], "damage") && i < 3000000; i++)
			((unsigned long *)begin)[(i < 400000 ? i : (unsigned long)rand() * 977) % words] = i % 3 ? rand() : -1ul >> i % 64;
		usleep(100000);
		return 5;
	}
END
cc -O -w -o other other.c || fail "cc"
script='int n; BEGIN { @[n] = count(); printf("begun\n"); } tick-10ms { printf("%d\n", n++); @[n] = count(); @q = quantize(n); self->x = n; } END { printf("ended\n"); }'
trace -x executor=process -x childstatus -n "$script" -c './other quiet'
[ "$status" -eq 5 ] || fail "status $status"
[ -s err ] && grep -v 'exited with status 5' err && fail "messages"
grep -q '^own VmFlags:.* wf' out || fail "fork does not wipe the own page"
grep -q '^memory VmFlags:.* dd' out || fail "core dumps have the memory"
contains ended out
trace -x executor=process -n "$script" -c './other exec'
[ "$status" -eq 0 ] || fail "status $status after exec"
contains 'process [0-9]* has executed another program, which is not traced' err
contains ended out
trace -x executor=process -n "$script" -c './other kill'
[ "$status" -eq 0 ] || fail "status $status after a kill"
contains begun out
contains ended out
trace -x executor=process -n "$script" -c './other damage'
[ "$status" -eq 0 ] || fail "status $status after damage"
contains 'process [0-9]* is not traced any more: the traced process has damaged the memory that it shares with dtrace' err
contains begun out
contains ended out
# The same while threads fire: dtrace reads on or ends the trace, with messages, and does not crash.
cat >scribble.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <pthread.h>
	#include <unistd.h>
	__attribute__((noinline)) int f(int x, const char *s){ asm volatile("" ::: "memory"); return x*3+s[0];}
	static volatile int done;
	static void *work(void *n){ long s=0; while(!done) s+=f(s%7,"text"); return (void*)s; }
	int main(int c,char**v){
	 unsigned long b=0,e=0; char line[512]; FILE*m=fopen("/proc/self/maps","r");
	 while(fgets(line,sizeof line,m)) if(strstr(line,"memfd:dtrace")) sscanf(line,"%lx-%lx",&b,&e);
	 pthread_t t[3]; for(int i=0;i<3;i++) pthread_create(&t[i],0,work,0);
	 srand(atoi(v[1])); usleep(50000);
	 unsigned long w=(e-b)/8, head=(unsigned long)atol(v[2]);
	 for(long i=0;i<2000000;i++){ unsigned long x=((unsigned long)rand()<<31^rand()); ((unsigned long*)b)[head? x%head : x%w] = i%3? x : x%4096; if(i%1000==0) usleep(100);}
	 _exit(0);
	}
	END
cc -O0 -w -o scribble scribble.c -lpthread || fail "cc"
for arguments in '1 0' '2 0' '1 40000' '2 40000'; do
	trace -x executor=process -n 'pid$target:a.out:f:entry { printf("%d %s\n", arg0, copyinstr(arg1)); @[arg0] = count(); }
		tick-10ms { n++; @n = max(n); }' -c "./scribble $arguments"
	[ "$status" -lt 124 ] || fail "status $status of ./scribble $arguments"
done
