/* What: tracemem() prints size bytes, or as many as the third argument; negative is all; bad addresses are faults, whatever the size.  An address in memory is read there first. */
struct node { struct node *next; char *name; };
BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'H'; this->p[1] = 'i'; this->p[16] = 1; this->p[19] = 127;
	tracemem(this->p, 20);
	tracemem(this->p, 20, 3);
	tracemem(this->p, 20, -1);
	tracemem(this->p, 4, 100);
	tracemem(this->p, 20, (unsigned char)-1);
	tracemem(this->p, 20, 0);
	printf("|\n");
}
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[7] = 'z';
	this->short_ = (short)-1;
	this->long_ = (long)1 << 63;
	tracemem((uintptr_t)this->p, 8, this->short_);
	tracemem(this->p, 8, this->long_);
	tracemem(this->p, sizeof (uint64_t), (unsigned)-1);
	tracemem(this->p, 8, 8);
	tracemem(this->p, 8, this->p);
}
BEGIN
{
	this->node = (struct node *)alloca(sizeof(struct node));
	this->names = (char **)alloca(2 * sizeof(char *));
	this->name = (char *)alloca(8);
	this->name[0] = 'o'; this->name[1] = 'k';
	this->node->next = this->node;
	this->node->name = this->name;
	this->names[1] = this->name;
	tracemem(this->node->next->name, 8);
	tracemem(this->names[1], 8);
	tracemem(*(this->names + 1), 8, *(this->name + 2) + 2);
	tracemem((uintptr_t)this->node->name, 8);
}
BEGIN { printf("not shown"); tracemem(16, 8); }
BEGIN { printf("not shown"); tracemem(NULL, 8, 0); }
ERROR { printf("fault %d at %x in action %d\n", arg4, arg5, arg2); }
BEGIN { exit(0); }
