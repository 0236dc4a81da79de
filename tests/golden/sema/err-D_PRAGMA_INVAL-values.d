#pragma D attributes Solid/Stable/Common x
#pragma D attributes Stable/Stable x
#pragma D attributes Stable/Stable/Common provider calm colour
#pragma D binding "new" x
#pragma D depends_on colour blue
#pragma D binding "1.6x" x
#pragma D binding "1" x
#pragma D binding "256.0" x
#pragma D binding "1.4096" x
#pragma D binding "1.2.3.4" x
inline int x = 1;
BEGIN { trace(x); }
