struct s v = { 1 };
BEGIN { s = { 1, 2 }; }
BEGIN { s = (struct s) { 1 }; }
BEGIN { x = offsetof(struct s, a.b); }
BEGIN { x = offsetof(struct s, a[1]); }
BEGIN { x = 1.5; y = 2e3; }
BEGIN { x = sizeof(); }
BEGIN { x = a ? : b; }
BEGIN { x = ({ 1; }); }
