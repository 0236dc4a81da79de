struct named { int n; string t; };
struct named v[2], *p; string *s, rows[2][3]; int i;
BEGIN { p->t = "a"; p[i].t = p->t = NULL; *s = v[i].t; s = &v[1].t; s[2] = stringof(arg0); }
BEGIN { rows[i][1] = *s; *(string *)i = "b"; trace(sizeof(*s)); trace((*s)[1]); trace(p->t == rows[0][2]); }
