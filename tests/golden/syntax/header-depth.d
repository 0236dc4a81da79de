int program1;
# 1 "one.h" 1
int one1;
# 1 "two.h" 1
int two;
# 3 "one.h" 2
int one2;
# 4 "header-depth.d" 2
int program2;
# 5 "header-depth.d" 2
int program3;
