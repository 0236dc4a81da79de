translator int < int *x > { y = 1; };
translator struct never_defined < int x > { y = 1; };
BEGIN { trace(1); }
