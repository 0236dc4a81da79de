fake::read:return { trace(entry(entry(arg0))); }
