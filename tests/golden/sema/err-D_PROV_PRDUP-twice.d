provider calm { probe go(int a); probe go(int a); };
BEGIN { trace(1); }
