# What: what #pragma D pair names begins and ends slices of a timeline, though no name says so. Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
command -v protoc >/dev/null || skip "no protoc"
cat >locks.c <<'C'
#define F __attribute__((noinline, noclone))
F void take(int x) { __asm__ volatile("" : : "r"(x)); }
F void give(int x) { __asm__ volatile("" : : "r"(x)); }
int main(void)
{
	for (volatile int i = 0; i < 3; i++) {
		take(i);
		take(i + 10);
		give(i + 10);
		give(i);
	}
	give(99);
	return 0;
}
C
gcc -O1 -o locks locks.c || fail "cannot compile"
cat >pairs.d <<'D'
#pragma D pair pid*::take:entry pid*::give:entry
pid$target:a.out:take:entry { trace(arg0); }
pid$target:a.out:give:entry { trace(arg0); }
D
events() {
	protoc --decode=Trace --proto_path="${LIB%/*}/show" "${LIB%/*}/show/perfetto.proto" <"$1" >text || fail "not decoded"
	# 1 begins a slice, 2 ends it, 3 is an instant
	sed -n 's,^ *type: ,,p' text | tr '\n' ' '
}
trace -x oformat=timeline -o paired.trace -c ./locks -s pairs.d
same "$status" 0 "status"
same "$(events paired.trace)" "1 1 2 2 1 1 2 2 1 1 2 2 3 " "pairs"
trace -x oformat=timeline -o alone.trace -c ./locks -n 'pid$target:a.out:take:entry,pid$target:a.out:give:entry { trace(arg0); }'
same "$(events alone.trace)" "3 3 3 3 3 3 3 3 3 3 3 3 3 " "without a pair"
printf '#pragma D pair take give\nBEGIN { exit(0); }\n' >wrong.d
trace -s wrong.d
contains 'take is not a description of probes' err
