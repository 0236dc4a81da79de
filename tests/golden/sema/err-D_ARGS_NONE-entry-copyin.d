fake::read:return { trace(entry(copyin(arg1, 4))); }
