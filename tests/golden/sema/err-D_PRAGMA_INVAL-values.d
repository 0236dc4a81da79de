#pragma D attributes Solid/Stable/Common x
#pragma D attributes Stable/Stable x
#pragma D attributes Stable/Stable/Common provider calm colour
#pragma D binding "new" x
#pragma D depends_on colour blue
inline int x = 1;
BEGIN { trace(x); }
