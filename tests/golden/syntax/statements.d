BEGIN { }
BEGIN { ; }
BEGIN { x }
BEGIN { x; }
BEGIN { x; y }
BEGIN { if (x) y; z }
BEGIN { if (x) { y } z }
BEGIN { if (x) ; else ; }
BEGIN { if (a) if (b) if (c) x; else y; else z; }
BEGIN { if (a) { if (b) x } else y }
BEGIN { if (a, b) { x, y; } }
BEGIN { if a) x; }
BEGIN { if (a x; }
BEGIN { if (a) x else y; }
BEGIN { if () x; }
BEGIN { if (a) { x; }
