/* What: sizes and signs of globals; += is one atomic instruction where there is one. */
char c; unsigned short s; int i; unsigned long long l; string text;
BEGIN { c += 1; s = s / 3; i -= 7; l++; text = "hello"; c = i; }
END { printf("%d %d %d %d %s", c, s, i, l, text); }
