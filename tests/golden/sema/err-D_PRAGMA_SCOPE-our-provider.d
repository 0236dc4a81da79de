#pragma D attributes Stable/Stable/Common provider fake name
#pragma D attributes Stable/Stable/Common x y
BEGIN { trace(1); }
