struct in { int x; struct { int y; } part; char text[8]; struct in *next; };
typedef struct out { int number; char text[8]; struct { int y; } part; struct in *next; } out_t;
translator out_t < struct in *I > { number = I->x; text = I->text; next = I->next; };
BEGIN { trace(&xlate <out_t *>((struct in *)8)->number); }
BEGIN { trace(&xlate <out_t>((struct in *)8).text); }
inline out_t *translated = xlate <out_t *>((struct in *)8);
BEGIN { trace(&translated->number); trace(&translated->next); trace(&(translated->number)); }
BEGIN { trace(&translated->next->x); trace(&translated->text[1]); } /* these lie somewhere */
