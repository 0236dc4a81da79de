fake::read:return { trace(entry()); trace(entry(arg0, arg1)); trace(entry(printf("a"))); }
