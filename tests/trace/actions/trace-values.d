/* What: trace() of every type, with its width and sign.  Options: +q.  Needs: btf. */
struct pt { int x; int y; };
struct texts { char word[8]; char full[3]; unsigned char bytes[2]; };
struct pt g;
struct texts t;
BEGIN { trace((char)-1); trace((unsigned char)255); trace((short)-2); trace((unsigned short)65534); trace(-3); trace(4294967293u); trace(-4LL); trace(18446744073709551612ull); }
BEGIN { trace("text"); trace((int *)16); trace(NULL); trace('x'); trace(1 == 1); }
BEGIN { t.word[0] = 'a'; t.word[1] = 'b'; t.full[0] = 'x'; t.full[1] = 'y'; t.full[2] = 'z'; t.bytes[1] = 7; g.y = 1; trace(t.word); trace(t.full); trace(t.bytes); trace(g); exit(0); }
