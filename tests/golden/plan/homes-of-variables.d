/* What: globals, the thread's block, the frame, the slot, maps. */
struct pair { long x; char text[8]; };
long n;
string names[int, string];
self long at;
self string name[int];
this struct pair pair;
BEGIN
{
	this->number = n;
	this->pair.x = 1;
	this->p = &this->pair.text[0];
	names[1, "one"] = "a";
	self->at = timestamp;
	self->name[3] = execname;
}
