extern int max_pfn(int);
BEGIN { `jiffies(1); max_pfn(2); }
BEGIN { x = 1; trace(x(3)); trace(pid()); }
