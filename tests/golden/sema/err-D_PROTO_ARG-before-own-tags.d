#!-K
BEGIN { @c = count(); tracemem(&`max_pfn, "a"); uaddr(@c); exit(@c); speculate(@c); strlen(@c); }
BEGIN { @a = lquantize(1, "a", 2); @b = lquantize(1, 1, "a"); @d = llquantize(1, "a", 0, 3, 10); @e = llquantize(1, 10, 0, 3, "a"); }
BEGIN { inet_ntoa6((int *)alloca(16)); inet_ntoa6(alloca(16), pid); inet_ntoa6(alloca(16), 1); inet_ntoa6((struct in6_addr *)alloca(16)); inet_ntoa6(0); }
