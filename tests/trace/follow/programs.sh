# What: programs that members execute are traced from their first call on, as follow says.  Needs: uprobe cc.
. "$LIB"
cat > leaf.c <<'C'
__attribute__((noinline)) int leaf(int n) { __asm__ volatile(""); return n + 1; }
int main(void) { for (int i = 0; i < 10; i++) leaf(i); return 0; }
C
gcc -O1 -static -o leaf leaf.c || fail "cannot compile"
# word, calls of before(), which children make before they execute leaf, calls of leaf()
for case in none:0:0 fork:20:0 exec:0:200 all:20:200 tree:20:200; do
	word=${case%%:*} counts=${case#*:}
	trace -Z -x follow="$word" -n 'int befores, leaves; pid$target:a.out:before:entry { befores++; } pid$target:a.out:leaf:entry { leaves++; }
		END { printf("%d:%d\n", befores, leaves); }' -c "$TRIGGERS/family run 20 ./leaf"
	same "$status" 0 "status with follow=$word"
	# Older kernels do not hold a static program: what is missing is reported.
	leaves=$(sed -n 's/.*://p' out)
	if [ "$leaves" -lt "${counts#*:}" ] && ! grep -q bpf_task_work_schedule /proc/kallsyms; then
		contains 'executed another program: what that called before its probes were in place is not traced' err
		continue
	fi
	same "$(cat out)" "$counts" "follow=$word"
done
