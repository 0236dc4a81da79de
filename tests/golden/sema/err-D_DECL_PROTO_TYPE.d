int a[int (int)]; int f(int m[int]); provider calm { probe go(int m[string]); };
