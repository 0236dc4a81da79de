fake::read:entry { trace(entry(arg0)); }
