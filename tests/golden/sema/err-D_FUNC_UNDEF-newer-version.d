#!-1.2
BEGIN { trace(ntohs(1)); @ = stddev(1); trace(strlen("a")); @l = llquantize(1, 10, 0, 2, 10); func(0); }
BEGIN { trace(threadname); }
