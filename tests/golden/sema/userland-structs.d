struct item { int a; struct item *next; char name[8]; };
userland struct item *up;
BEGIN
{
	up = (userland struct item *)arg0;
	trace(up->a); trace(up->next->a); trace(stringof(up->name)); trace(&up->a); p = up->next;
	trace(p->a); trace((*up).name[2]);
}
