provider calm { probe go(int a); };
provider calm { probe go(string a); probe stop(int b); };
BEGIN { trace(1); }
