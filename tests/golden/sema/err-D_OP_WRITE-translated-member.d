typedef struct in { int x; } in_t; typedef struct out { int a; } out_t;
translator out_t < in_t *I > { a = I->x; };
BEGIN
{
	xlate <out_t>((in_t *)8).a = 3;
}
