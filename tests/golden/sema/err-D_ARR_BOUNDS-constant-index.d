struct s { int list[4]; } v; int a[3]; BEGIN { trace(v.list[4]); a[-1] = 2; trace(((struct s *)arg0)->list[10]); }
