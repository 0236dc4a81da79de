/* What the text defines later is known where a clause reads an unknown name: to the clause and to assignments of what it reads. */
BEGIN { trace(x); trace(y); trace(sizeof(z)); trace(five); trace(w); trace(declared); trace(self->too[1]); }
inline short five = 5;
struct zork { int a; char b[4]; };
struct zork *declared; self string too[int];
translator struct zork < int N > { a = N; };
BEGIN { x = *(short *)arg0 + five; y = declared->a; z = *declared; w = (xlate < struct zork > (3)).a; }
