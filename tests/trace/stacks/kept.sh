# What: stacks as values: in variables of each kind and elements, as keys of both kinds, as arguments of printf(), compared; at the return by entry().  Needs: uprobe cc.
# Executors: kernel (it has stacks of the kernel).
. "$LIB"
cat >places.c <<'C'
#define F __attribute__((noinline, noclone))
F void leaf(long n) { __asm__ volatile("" : : "r"(n) : "memory"); }
F void one(long n) { leaf(n); __asm__ volatile(""); }
F void two(long n) { leaf(n); __asm__ volatile(""); }
F void done(void) { __asm__ volatile(""); }
int main(void) { for (int i = 0; i < 3; i++) { one(i); done(); two(i); done(); } return 0; }
C
gcc -O1 -fno-optimize-sibling-calls -o places places.c || fail "cannot compile"
frames() { sed -n 's/^ *places`\([a-z]*\).*/\1/p; s/^ *\([0-9][0-9]*\)$/\1/p' out | tr '\n' ' '; }
must_trace -c ./places -n 'pid$target:a.out:leaf:entry { self->s = ustack(3); } pid$target:a.out:done:entry { @[self->s] = count(); self->s = 0; }
	pid$target:a.out:done:entry { @zero[self->s] = count(); } END { trunc(@zero); }'
same "$(frames)" "leaf one main 3 leaf two main 3 " "a thread's, as a key"
must_trace -c ./places -n 'pid$target:a.out:leaf:entry { this->u = ustack(2); this->v = this->u; x[arg0] = this->v; } pid$target:a.out:leaf:entry /arg0 == 1/ { printf("%k", x[1]); }'
same "$(frames)" "leaf one leaf two " "a clause's and an element, printed"
must_trace -c ./places -n 'pid$target:a.out:leaf:entry /!n/ { first = ustack(); n = 1; } pid$target:a.out:leaf:entry { @["same"] = sum(first == ustack()); @["other"] = sum(first != ustack()); seen[ustack()]++; }
	pid$target:a.out:leaf:entry { @times = max(seen[ustack()]); } pid$target:a.out:leaf:entry { this->k = stack(); @["kernel"] = sum(this->k == stack()); } END { printa("%s %@d\n", @); printa("times %@d\n", @times); }'
same "$(sed "/^$/d" out | sort)" "kernel 6
other 3
same 3
times 3" "comparisons and keys of an array"
must_trace -c ./places -n 'pid$target:a.out:leaf:return { @[entry(ustack(2))] = sum(entry(arg0)); }'
same "$(frames)" "leaf one 3 leaf two 3 " "at the return"
for program in 'x = jstack();' 'x = stack(); x = ustack();' 'x = stack(3); x = stack(10);' 'x = stack(); y = x + 1;' 'x = stack(); trace(x == 1);' 'x = y = stack();' 'x = sym(0);'; do
	trace -n "BEGIN { $program }"
	same "$status" 1 "$program"
	grep -q 'could not enable' err && fail "$program: a mistake of dtrace"
done
exit 0
