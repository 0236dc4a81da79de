struct out { int a; }; translator struct out < int i > { a = i; };
BEGIN { x = 1; trace(&x); trace(&pid); trace(&arg0); @a = count(); @b[1] = count(); }
BEGIN { trace(&@a); trace(&@b[1]); trace(&xlate <struct out>(1)); }
