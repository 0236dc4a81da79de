#!-amin
inline int mine = 1;
int counter_of_mine;
inline int fine = 2;
BEGIN { trace(fine); }
BEGIN { trace(mine); }
BEGIN { trace(counter_of_mine); }
#pragma D attributes Unstable/Evolving/Common mine
#pragma D attributes Obsolete/Stable/Common counter_of_mine
#pragma D attributes Stable/Stable/Common fine
