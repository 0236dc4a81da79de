int v[3]; int *p; int x;
BEGIN { v["a", 1] = 2; v[1, 1] = 2; p[1, 2] = 3; }
