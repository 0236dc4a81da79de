int declared; string text; self string who; this int64_t t; int a[int, string]; self char b[string];
struct point { int x; int y; struct { short in; } deep; char name[8]; int list[4]; };
struct point p; this struct point q; struct point byname[string];
BEGIN
{
	declared = 1; text = "x"; self->who = execname; this->t = timestamp; a[1, "z"] = 5;
	self->b["k"] = 300; hits++; ++self->n; this->s += 5; made = "str"; wide = timestamp;
	small = (char)1; p.x = 1; p.deep.in = 3; q2 = p; this->q = p; byname["a"].y = 7;
	p.list[2] = 4; p.list[pid] = 5; undeclared[tid, execname] = 1; undeclared[timestamp, "q"]++;
	self->who = 0; self->f[1] = 2; text = NULL; trace(p.name); trace(p);
	trace(declared = 3);
}
