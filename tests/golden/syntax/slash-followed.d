BEGIN /x/ / 2 == 1/ { }
BEGIN /x /
/* nothing but blanks */ { y = 1; }
END /x/; { }
tick-1 /x
