struct in { int a; } *in; struct out { int a; };
translator struct out <struct in *i> { a = i->a; };
#pragma D binding "1.2" translator
BEGIN { trace(xlate <struct out>(in).a); }
