#pragma D attributes Unstable/Evolving/Group mine
#pragma D attributes Obsolete/Stable/Common counter_of_mine
inline int mine = 1;
inline int plain[int x] = x + (int)&`max_pfn;
typedef struct out { int a; int b; } out_t;
translator out_t < int i > { a = (int)&`max_pfn; b = i; };
int counter_of_mine;
BEGIN { trace(1); x = "a"; y[x] = 1; @[execname] = count(); }
BEGIN { trace(&`max_pfn); }
BEGIN { trace(ntohs(1)); trace(getmajor(1)); }
BEGIN { trace(mine); }
BEGIN { trace(plain[2]); }
BEGIN { trace(plain[mine]); }
BEGIN { counter_of_mine++; }
BEGIN { trace(xlate <out_t>(1).a); }
BEGIN { trace(xlate <out_t>((int)&`jiffies).b); }
fake::read:entry { trace(args[0]); }
fake::read:entry { trace(arg0); }
fake::read:entry { trace(probename); }
fake::read:entry /probefunc == "read"/ { trace(1); }
BEGIN /z == 1/ { trace(z++); }
