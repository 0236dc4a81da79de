fake::read:return { trace(entry(x = arg0)); }
