/* An integer constant no wider than int makes an int64_t, whatever its type; other values, and larger ones, their own. */
enum colour { RED, GREEN };
inline int zero = 0;
BEGIN
{
	a = 0; b = -1; c = 1 << 3; d = 'x'; e = GREEN; f = $target; g = (char)1; h = 1u; i = zero; j = 1 ? 2 : 3; k = 0xffffffff; l = NULL;
	self->a = 0; this->a = 0; m["k"] = 0; self->m[1] = 0;
	wide = 5000000000; unsigned_wide = 5ul; size = sizeof(a); value = pid; total = pid + 1; pointer = (char *)0; text = "0";
	a = 5000000000; self->a = timestamp; this->a = 5000000000; m["k"] = 5000000000;
}
