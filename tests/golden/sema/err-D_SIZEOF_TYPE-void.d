struct later; struct out { int a; }; translator struct out < int i > { a = i; };
BEGIN { trace(sizeof(void)); trace(sizeof(struct later)); trace(sizeof(xlate <struct out>(1))); trace(sizeof(*xlate <struct out *>(1))); }
