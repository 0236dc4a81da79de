inline int N = 1; BEGIN { 4 = 1; pid + 1 = 2; N = 3; 5++; NULL = 1; }
