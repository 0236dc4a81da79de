# What: the return of a function with many jumps to computed addresses is right, and what it will cost is said before. Needs: uprobe cc.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
{
	echo 'int f_loop(const int *next, int n) { static void *const to[] = {'
	for i in $(seq 40); do echo "&&l$i,"; done
	echo '}; int sum = 0; goto *to[*next];'
	for i in $(seq 40); do echo "l$i: __asm__ volatile(\"# $i\" : \"+r\"(sum)); sum += $i; if (!--n) return sum; goto *to[*++next];"; done
	echo '} int main(void) { int next[100]; for (int i = 0; i < 100; i++) next[i] = i * 7 % 40; return f_loop(next, 100) == 0; }'
} >loop.c
gcc -O2 -fno-crossjumping -fno-reorder-blocks -o loop loop.c || fail "cannot compile"
wanted=$(awk 'BEGIN { for (i = 0; i < 100; i++) sum += i * 7 % 40 + 1; print sum }')
for quiet in "" -q; do
	"$DTRACE" $quiet -n 'pid$target:a.out:f_loop:return { printf("sum %d\n", (int)arg1); }' -c ./loop >out 2>err || fail "status $?"
	contains "sum $wanted" out
done
jumps=$(objdump -d --no-show-raw-insn loop | sed -n '/<f_loop>:/,/^$/p' | grep -cE 'jmp +\*|\sbr\s')
[ "$jumps" -gt 32 ] || skip "the compiler has made $jumps jumps"
"$DTRACE" -n 'pid$target:a.out:f_loop:return { exit(0); }' -c ./loop >out 2>err || fail "status $?"
contains "the return of f_loop is also at its $jumps jumps to computed addresses" err
