string s; struct named { string t; char c[4]; } v; int i;
BEGIN { stringof(v.c) = "a"; stringof(v.t) = "b"; (string)s = "c"; (int)i = 1; (long)i++; stringof(s) += 1; strjoin(s, s) = s; }
