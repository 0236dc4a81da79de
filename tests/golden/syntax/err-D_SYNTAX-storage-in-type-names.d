BEGIN { xlate <self int>(x); }
BEGIN { offsetof(static struct s, m); }
BEGIN { sizeof(int self); }
translator typedef out < in i > { };
translator out < extern in i > { };
