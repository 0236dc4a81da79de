#pragma D attributes Stable/Stable/Common nobody
#pragma D binding "1.5" nobody2
#pragma D attributes Stable/Stable/Common provider nothing args
#pragma D binding "1.5" translator
BEGIN { trace(1); }
