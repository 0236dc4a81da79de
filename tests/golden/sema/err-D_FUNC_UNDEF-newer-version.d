#!-1.2
BEGIN { trace(ntohs(1)); @ = stddev(1); trace(strlen("a")); func(0); }
BEGIN { trace(threadname); }
