# What: trace() of every type, with its width and sign, in default and quiet mode.
. "$LIB"
cat >script.d <<'D'
struct pt { int x; int y; };
struct texts { char word[8]; char full[3]; unsigned char bytes[2]; };
struct pt g;
struct texts t;
BEGIN { trace((char)-1); trace((unsigned char)255); trace((short)-2); trace((unsigned short)65534);
	trace(-3); trace(4294967293u); trace(-4LL); trace(18446744073709551612ull); }
BEGIN { trace("text"); trace((int *)16); trace(NULL); trace('x'); trace(1 == 1); }
BEGIN { t.word[0] = 'a'; t.word[1] = 'b'; t.full[0] = 'x'; t.full[1] = 'y'; t.full[2] = 'z'; t.bytes[1] = 7;
	g.y = 1; trace(t.word); trace(t.full); trace(t.bytes); trace(g); exit(0); }
D
"$DTRACE" -s script.d 2>err | sed 's/^ [ 0-9][0-9]  /  C  /; s/ *$//' >got
cat >wanted <<'TEXT'
CPU     ID                    FUNCTION:NAME
  C      1                           :BEGIN   -1 255    -2 65534         -3 4294967293                  -4 18446744073709551612
  C      1                           :BEGIN   text                                                16                   0        120          1
  C      1                           :BEGIN   ab                                 xyz
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 07                                            ..

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00 00 01 00 00 00                          ........


TEXT
diff -u wanted got || fail "default mode"
must_trace -s script.d
same "$(head -n 1 out)" '-1255-265534-34294967293-418446744073709551612text1601201ab  xyz                              ' "quiet mode"
