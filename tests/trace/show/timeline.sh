# What: a timeline is a trace of Perfetto: slices of a thread nest, what never returns is open, what has no traced end is an instant;
# values are annotations, printed aggregations counters.  Needs: uprobe cc python3.  Executors: kernel process.
. "$LIB"
command -v protoc >/dev/null || skip "no protoc"
cat >calls.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
static __thread jmp_buf out;
F int f_leaf(int x) { HIDE(x); return x + 1; }
F int f_jump(int x) { if (x == 3) longjmp(out, 1); return f_leaf(x) + 1; }
F int f_mid(int x) { int r = f_leaf(x); HIDE(r); r += f_jump(x); HIDE(r); return r; }
F int f_top(int x) { int r = f_mid(x); HIDE(r); return r + f_leaf(r); }
F void f_never(void) { raise(SIGKILL); }
static void *run(void *name)
{
	prctl(PR_SET_NAME, name);
	for (volatile int i = 0; i < 5; i++)
		if (!setjmp(out))
			f_top(i);
	usleep(50000);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, "a \"thread\"");
	pthread_join(t, NULL);
	run("main");
	f_never();
	return 0;
}
C
gcc -O1 -pthread -o calls calls.c || fail "cannot compile"
trace -x oformat=timeline -o calls.trace -c ./calls -n 'pid$target:a.out:f_*:entry { trace(arg0); } pid$target:a.out:f_*:entry { trace("again"); }
	pid$target:a.out:f_*:return { trace(arg1); } syscall::clock_nanosleep:entry /pid == $target/ { printf("%s sleeps", execname); }
	tick-10ms { @c["ticks"] = count(); printa(@c); }'
same "$status" 0 "status"
protoc --decode=Trace --proto_path="${LIB%/*}/show" "${LIB%/*}/show/perfetto.proto" <calls.trace >text || fail "not decoded"
! grep -q '^ *[0-9][0-9]*[: ]' text || fail "fields that nobody knows"
cat >holds.py <<'P'
import re
open_in, names, counters, clocks, instants = {}, {}, {}, 0, []
values = []
for packet in re.split(r"^packet {", open("text").read(), flags=re.M)[1:]:
    get = lambda name: (re.search(r"\b%s: (.*)" % name, packet) or [None, None])[1]
    if "clock_snapshot" in packet:
        clocks += 1
        assert "primary_trace_clock: 3" in packet
    elif "track_descriptor" in packet:
        names[get("uuid")] = get("thread_name") or get("process_name") or get("name")
    else:
        assert get("timestamp_clock_id") == "3" and clocks == 1, packet
        track, kind = get("track_uuid"), get("type")
        name = re.search(r"^    name: \"(.*)\"$", packet, re.M)
        if kind == "1":
            open_in.setdefault(track, []).append(name[1])
        elif kind == "2":
            open_in[track].pop()
        elif kind == "3":
            instants.append((names[track], name[1], get("string_value")))
        else:
            counters.setdefault(names[track], []).append(int(get("counter_value")))
        if kind in "12" and get("int_value"):
            values.append((kind, get("name"), int(get("int_value"))))
slices = {names[t]: s for t, s in open_in.items()}
assert slices == {'"a \\"thread\\""': ["f_top", "f_mid", "f_jump"], '"main"': ["f_top", "f_mid", "f_jump", "f_never"]} or \
    slices == {'"a \\"thread\\""': [], '"main"': ["f_never"]}, slices
sleeps = [i for i in instants if i[1] == "syscall:vmlinux:clock_nanosleep:entry"]
assert [i[0] for i in sleeps] == ['"a \\"thread\\""', '"main"'], sleeps
assert sum(i[1].endswith("f_leaf:entry") or i[1] == "f_leaf" for i in instants) == 26, instants
assert values[:3] == [("1", '"arg0"', 0)] * 3, values[:9]
assert list(counters) == ['"@c[ticks]"'] and counters['"@c[ticks]"'] == sorted(counters['"@c[ticks]"']), counters
P
python3 holds.py || fail "see above"
# The picture of the guide is drawn from such files: a box for each slice.
"$checkout/tools/timeline-picture" 0 10000 <calls.trace >picture.svg || fail "no picture"
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("picture.svg")' || fail "the picture is no XML"
same "$(grep -c '<rect x=' picture.svg)" "$(grep -c '^    type: 1$' text)" "boxes of the picture"
