BEGIN /execname/ { trace(1); }
float f; struct s { int a; } v;
BEGIN /v/ { } BEGIN /f/ { } BEGIN /(void)0/ { } BEGIN /stack()/ { } BEGIN /v.a/ { }
