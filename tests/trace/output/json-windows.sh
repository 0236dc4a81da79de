# What: lines of JSON say which thread left a record, which printing a row is of, and the window of time of its values. Needs: uprobe cc python3.
# Executors: kernel process.
. "$LIB"
cat >threads.c <<'C'
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((noinline)) void f_called(int tid) { __asm__ volatile("" : : "r"(tid)); }
static void *thread(void *name)
{
	prctl(PR_SET_NAME, name);
	f_called((int)syscall(SYS_gettid));
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thread, "one \"quoted\"");
	pthread_join(t, NULL);
	thread("main");
	for (int i = 0; i < 20; i++) {
		f_called(0);
		usleep(20000);
	}
	return 0;
}
C
gcc -O1 -pthread -o threads threads.c || fail "cannot compile"
must_trace -x oformat=json -c ./threads -n '
pid$target::f_called:entry /arg0/ { printf("%d %d %s", pid, arg0, execname); }
pid$target::f_called:entry { @all = count(); @cleared = count(); }
tick-100ms { printa(@cleared); printa(@cleared); clear(@cleared); }
END { printa(@cleared); clear(@cleared); }'
cat >holds.py <<'P'
import json
lines = [json.loads(line) for line in open("out")]
records = [l for l in lines if l["type"] == "record" and "pid" in l and l["data"] and l["data"][0]["action"] == "printf"]
threads = [(r["pid"], r["tid"], r["thread"]) for r in records]
assert threads == [tuple(r["data"][0]["values"][i] for i in (0, 1, 2)) for r in records], threads
assert [t[2] for t in threads] == ['one "quoted"', "main"], threads
assert len({t[0] for t in threads}) == 1 and threads[1][0] == threads[1][1] != threads[0][1], threads
assert all(r["probe"]["flow"] == "entry" for r in records)
# The process's name is /proc's, which is read while it runs on, until its first thread leaves a record.
assert records[0]["process"] in ("threads", "main") and records[1]["process"] == "main", records

printings = [a["printing"] for l in lines if l["type"] == "record" for a in l["data"] if a["action"] == "printa"]
assert printings == list(range(1, len(printings) + 1)), printings
rows = [l for l in lines if l["type"] == "aggregation"]
for name, total in ("cleared", 22), ("all", 22):
    mine = {l["printing"]: (l["values"][0], l) for l in rows if l["values"][0]["name"] == name}
    windows = sorted((v["from"], l["to"], v["value"]) for v, l in mine.values())
    assert all(a < b for a, b, _ in windows), windows
    once = {w for w in windows}  # the tick prints it twice
    assert sum(w[2] for w in once) == total, windows
    once = sorted(once)
    assert all(a[1] == b[0] for a, b in zip(once, once[1:])), once
assert mine and all("time" not in l and l["to"] >= records[-1]["time"] for _, l in mine.values())
P
python3 holds.py || fail "see above"
