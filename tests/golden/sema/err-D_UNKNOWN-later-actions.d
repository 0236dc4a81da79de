BEGIN { print(pid); system("ls"); speculate(1); }
