provider calm { probe go(int a) : (int b); };
provider calmer { probe go(int a) : (int); };
provider calmest { probe go(int a, int a); probe twice(int a) : (int a, long a); };
BEGIN { trace(1); }
