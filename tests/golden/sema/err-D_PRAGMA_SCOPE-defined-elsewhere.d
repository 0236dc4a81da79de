#pragma D attributes Stable/Stable/Common execname
BEGIN { trace(1); }
#pragma D attributes Stable/Stable/Common provider fake name
provider fake { probe entry(); };
