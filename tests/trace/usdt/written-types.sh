# What: a program built with a header of dtrace -h brings names, types, translators and stability of its arguments, also stripped, and by the object of -G alone.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >shop.d <<'D'
typedef struct article { char name[16]; int pence; } article_t;
typedef struct articleinfo { string name; int pence; } articleinfo_t;
translator articleinfo_t < article_t *A > { name = A->name; pence = A->pence; };
provider shop {
	probe article__sold(article_t *article, int string) : (int string, articleinfo_t *article);
	probe closed(string mood);
};
#pragma D attributes Stable/Standard/Common provider shop args
D
cat >shop.c <<'C'
#include HEADER
struct article { char name[16]; int pence; };
int main(void)
{
	struct article tea = { "tea", 250 };
	SOLD(&tea, 3);
	CLOSED("good");
	return 0;
}
C
"$DTRACE" -h -s shop.d && "$DTRACE" -G -s shop.d || fail "no files"
works() {
	must_trace -n 'shop$target:::article-sold { printf("%d %s %d\n", args[0], args[1]->name, args[1]->pence); } shop$target:::closed { printf("%s\n", args[0]); }' -c ./shop
	contains '^3 tea 250$'
	contains '^good$'
	trace -lvn 'shop$target:::article-sold' -c ./shop
	contains 'args\[1\]: articleinfo_t \*'
	contains 'Identifier Names: Stable'
	contains 'Data Semantics:   Standard'
}
ours="-isystem $checkout/include -DHEADER=\"shop.h\" -DSOLD=SHOP_ARTICLE_SOLD -DCLOSED=SHOP_CLOSED"
plain="-isystem $checkout/include -DHEADER=<dtrace/sdt.h> -DSOLD(a,b)=DTRACE_PROBE2(shop,article__sold,a,b) -DCLOSED(a)=DTRACE_PROBE1(shop,closed,a)"
gcc -O2 $ours shop.c -o shop && works
strip shop && works
gcc -O2 -flto -Wl,--gc-sections $ours shop.c -o shop && works
gcc -O2 $plain shop.c shop.o -o shop && works
exit 0
