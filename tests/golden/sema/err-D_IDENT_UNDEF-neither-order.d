BEGIN /unknown == 1/ { trace(other); }
BEGIN /x/ { trace(x); }
BEGIN /y = 1/ { trace(y); trace(z); }
BEGIN { trace(y); }
