provider calm { probe go(int a) : (int b); };
provider calmer { probe go(int a) : (int); };
BEGIN { trace(1); }
