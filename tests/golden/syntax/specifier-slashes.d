#!-n
BEGIN /x/; END /y / 2/ { }; ERROR /z/
