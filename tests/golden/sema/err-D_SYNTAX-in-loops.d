BEGIN { break; }
BEGIN { if (1) continue; }
BEGIN { while (x++ < 3) { trace(x); stack(); ustack(5); } }
BEGIN { while (x++ < 3) { if (x) { exit(0); } } }
BEGIN { while (x++ < 3) speculate(x); }
BEGIN { a = b = c = d = 1; while (a) while (b) while (c) while (d) x++; }
string t[int];
BEGIN { while (t) x++; }
