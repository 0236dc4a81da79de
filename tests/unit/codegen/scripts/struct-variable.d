/* What: members, array members with checked indexes, bit-fields, copies. */
struct point { int x; char name[4]; unsigned int low : 3; int high : 13; long many[5]; };
struct point here, there;
BEGIN { here.x = 3; here.low = 5; here.high = -2; here.many[here.x] = 7; there = here; }
BEGIN { trace(there.high + there.low); trace(here.many[there.x]); }
