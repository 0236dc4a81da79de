BEGIN /trace(1)/ { x = exit(1); y = count(); trace(printf("x")); z = (@a = count()); }
BEGIN /@a = count()/ { }
BEGIN /exit(0)/ { }
