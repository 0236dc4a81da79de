#!-1.2
#pragma D binding "1.2" older
#pragma D binding "1.2.1" newer
inline int older = 1;
inline int newer = 2;
BEGIN { trace(older); trace(strtok("a b", " ")); newer = 5; trace(newer); }
