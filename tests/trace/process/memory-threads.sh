# What: with -x executor=process counts are exact with threads, children, signal handlers and trunc(); what has no area is counted.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cat >many.c <<-'END'
	#include <pthread.h>
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/time.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static long handled;
	__attribute__((noinline)) int f(int x, const char *s){ asm volatile("" ::: "memory"); return x*3+s[0];}
	static void *work(void *n){ long s=0; for(long i=0;i<(long)n;i++) s+=f(i%7,"text"); return (void*)s; }
	static void handler(int sig){ handled++; f(1,"handler"); }
	int main(int c,char**v){
	 long n = atol(v[2]); int threads = c>3?atoi(v[3]):1;
	 if(!strcmp(v[1],"fork")){ for(int i=0;i<5;i++){ if(!fork()){ work((void*)n); _exit(0);} wait(0);} work((void*)n); return 0;}
	 if(!strcmp(v[1],"threads")){ pthread_t t[500]; for(int i=0;i<threads;i++) pthread_create(&t[i],0,work,(void*)n); for(int i=0;i<threads;i++) pthread_join(t[i],0); return 0;}
	 if(!strcmp(v[1],"come")){ for(int i=0;i<threads;i++){pthread_t t; pthread_create(&t,0,work,(void*)n); pthread_join(t,0);} return 0;}
	 if(!strcmp(v[1],"signals")){ struct itimerval o={{0,100},{0,100}}; signal(SIGALRM,handler); setitimer(ITIMER_REAL,&o,0); work((void*)n); o=(struct itimerval){0}; setitimer(ITIMER_REAL,&o,0); fprintf(stderr,"total %ld\n", n+handled); return 0;}
	 if(!strcmp(v[1],"forever")) for(;;) work((void*)1000);
	 return 0;}
	END
cc -O0 -w -o many many.c -lpthread || fail "cc"
entries='pid$target:a.out:f:entry { @ = count(); @k[arg0] = count(); @q = quantize(arg0); } END { printa("%@d\n", @); }'
both='pid$target:a.out:f:entry { @a = count(); } pid$target:a.out:f:return { @b = count(); } END { printa("%@d %@d\n", @a, @b); }'
counted() {
	head -n 1 out | grep -v '^$' || sed -n 2p out
}
must_trace -x executor=process -n "$entries" -c './many fork 20000'
same "$(counted)" 20000 "children fire"
must_trace -x executor=process -n "$entries" -c './many threads 100000 40'
same "$(counted)" 4000000 "40 threads"
awk 'NF == 2 && $1 < 7 { sum += $2 } END { exit sum != 4000000 }' out || fail "the keys of 40 threads"
must_trace -x executor=process -n "$both" -c './many come 10 2000'
same "$(counted)" "20000 20000" "threads that come and go"
trace -x executor=process -n "$both" -c './many signals 3000000'
total=$(sed -n 's/^total //p' err)
same "$(counted)" "$total $total" "handlers at 10 kHz"
# More threads than areas: counted or dropped.
trace -x executor=process -n "$both" -c './many threads 1000 300'
awk -v dropped="$(sed -n 's/^dtrace: \([0-9]*\) firings dropped: more threads than areas/\1/p' err)" \
	'NF == 2 { sum = $1 + $2 } END { exit sum + dropped != 600000 }' out || fail "neither counted nor dropped"
# What trunc() removes is what printa() has printed.
must_trace -x executor=process -n 'pid$target:a.out:f:entry { @[arg0] = count(); @all = count(); }
	tick-20ms { printa("part %@d\n", @); trunc(@); } tick-500ms { exit(0); }
	END { printa("part %@d\n", @); trunc(@); printa("all %@d\n", @all); }' -c './many forever 1'
awk '$1 == "part" { sum += $2 } $1 == "all" { all = $2 } END { exit !all || sum != all }' out || fail "trunc() loses firings"
# Areas are threads': no parts of CPUs are printed.
"$DTRACE" -x executor=process -x aggpercpu -n 'pid$target:a.out:f:entry { @ = count(); }' -c './many fork 10' >out 2>err || fail "status $?"
contains 'option aggpercpu has no effect: in the process threads have parts' err
