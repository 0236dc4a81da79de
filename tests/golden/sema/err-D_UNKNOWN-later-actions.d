BEGIN { print(pid); system("ls"); speculate(1); }
translator int < int *x > { y = 1; };
