int c[4], d[2][3]; char text[8]; struct s { int v[3]; struct { int x; } in[2]; } st; int *p; struct s many[int];
BEGIN {
	i = *(c + 2); i = *(c + i); i = *(i + c); i = 3[c]; i = *(c + i - 1); i = *(&c[1] + 1);
	*c = 1; *(c + i) = 2; *(d[1] + 2) = 3; st.in->x = 4; (st.in + i)->x = 5; *st.v = 6; (*(c + 1))++;
	p = c; p = &c[1]; p = &c[i]; p = &st.in[1].x; p = many[1].v; i = p - c; i = c == p;
	tracemem(c, 16); copyinto(arg0, 8, text); bcopy(c, st.v, i); i = strlen(text + 1); i = *(short *)(c + 1);
	trace(c); trace(sizeof(c));
}
