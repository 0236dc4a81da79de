struct s { int a; }; BEGIN { pid = 1; arg0 = 2; execname = "x"; timestamp++; ((struct s *)arg0)->a = 1; uregs[1] = 3; *(int *)&`max_pfn = 2; }
