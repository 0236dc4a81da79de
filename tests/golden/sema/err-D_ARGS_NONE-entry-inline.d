inline int e = entry(arg0); fake::read:return { trace(e); }
