BEGIN { printf("%hhd", pid); printf("%hd", (char)1); printf("%hx", pid); printf("%lld", (short)1); printf("%Lf", *(double *)arg0); }
BEGIN { printf("%hhd %hhu %hd %ld %llu", (char)1, (unsigned char)1, (short)1, 1l, 1ull); }
BEGIN { printf("%lS", "x"); }
