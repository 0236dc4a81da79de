/* What: a large struct that is set to 0, or copied where the thread has none, is all zeros. */
#pragma D option quiet

struct words {
	long word[600];
};
struct words cleared;
struct words copy;
self struct words none;

BEGIN
{
	text = "constants follow the zeros that structs are cleared with, and this is one of them";
	cleared.word[3] = 1;
	cleared = 0;
	print(cleared);
	copy.word[599] = 1;
	copy = self->none;
	print(copy);
	exit(0);
}
