#!-amin
inline int private = (int)&`max_pfn;
BEGIN { trace(&`jiffies); trace(htons(1)); }
fake:::entry { trace(1); }
fake::read:entry { trace(2); }
fake::read:entry { trace(probefunc); trace(args[0]); }
