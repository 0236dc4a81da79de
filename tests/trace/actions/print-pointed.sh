# What: print() of a pointer's target: members by name, zeros left out, truncated at printsize.
# Needs: btf.
. "$LIB"
cat >script.d <<'D'
struct inner { int deep; };
struct pt { int x; char name[5]; struct pt *next; unsigned b1:3; enum { RED, GREEN } c;
	union { int u; char v[4]; } w; long zero; struct inner in[2]; unsigned char last; };
BEGIN
{
	this->p = (struct pt *)alloca(sizeof (struct pt));
	this->p->x = -4; this->p->c = 1; this->p->next = this->p; this->p->in[1].deep = 5;
	this->p->name[0] = 'h'; this->p->name[1] = 'i'; this->p->w.u = 0x21;
	this->p->last = 200;
	print(this->p);
	this->i = (int *)alloca(8); this->i[1] = 12;
	print(this->i + 1);
	print(&this->p->name);
	exit(0);
}
D
must_trace -s script.d
sed 's/0xff[0-9a-f]*/ADDRESS/; s/^                                            //' out >got
cat >wanted <<'TEXT'
ADDRESS = *
(struct pt) {
 .x = (int)-4,
 .name = (char [5]) [
  (char)'h',
  (char)'i',
 ],
 .next = (struct pt *)ADDRESS,
 .c = (enum)GREEN,
 .w = (union) {
  .u = (int)33,
  .v = (char [4]) [
   (char)'!',
  ],
 },
 .in = (struct inner [2]) [
  (struct inner) {
  },
  (struct inner) {
   .deep = (int)5,
  },
 ],
 .last = (unsigned char)200,
}
ADDRESS = *
(int)12,
ADDRESS = *
(char [5]) [
 (char)'h',
 (char)'i',
],

TEXT
diff -u wanted got || fail "print() of pointers"

# 16 bytes: x, name and the padding; the rest is not known
must_trace -x printsize=16 -s script.d
same "$(grep -c '^ *\.\.\.$' out)" 1 "lines that say that there is more"
contains 'name = '
grep -q next out && fail "more than printsize shows"
# while tracing, less can be shown than was recorded
sed 's/^BEGIN/BEGIN { setopt("printsize", "8"); } BEGIN/' script.d >less.d
must_trace -s less.d
grep -q next out && fail "more than setopt(printsize) allows"
contains '\.\.\.'
