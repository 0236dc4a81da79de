inline int f[int] = 1; int g(void x); provider calm { probe go(int, int x) : (int x); probe stay(int, int); };
