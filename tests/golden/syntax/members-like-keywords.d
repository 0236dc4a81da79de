BEGIN
{
	a.probe; a->provider; a.self; a->string; a.stringof; a->userland; a.xlate; a->translator;
	a.if; a->int; a.for; a->struct; a.this; a->goto; a.sizeof;
	offsetof(struct s, probe); offsetof(struct s, default);
	a /* one */ -> /* two */ b . /* three */ c;
}
