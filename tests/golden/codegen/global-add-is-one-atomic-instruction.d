/* What: sizes and signs of globals; += is one atomic instruction where there is one. */
char c; unsigned short s; int i; unsigned long long l;
BEGIN { c += 1; s = s / 3; i -= 7; l++; c = i; }
