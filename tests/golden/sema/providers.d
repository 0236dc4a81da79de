provider calm { probe go__fast(int a, string b); probe stop(void); probe map(int a, string b) : (string b, long a); };
provider calm { probe go__fast(int, string); probe stop(void); probe map(int a, string b) : (string b, long a); };
#pragma D attributes Evolving/Evolving/ISA provider calm args
BEGIN { trace(1); }
