#!-Z
struct sou { int a; };
provider calm { probe go(int a); probe stop(string a); probe none(); probe whole(struct sou s);
	probe many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k); };
calm*:::go { trace(args[1]); trace(args[-1]); }
calm*:::none { trace(args[0]); }
calm*:::many { trace(args[9]); trace(args[10]); }
calm*:::whole { trace(args[0]); }
calm*:::go,calm*:::stop { trace(args[0]); }
calm*:::*o* { trace(args[0]); }
calm*:::other { trace(args[0]); }
calmer*:::go { trace(args[0]); }
