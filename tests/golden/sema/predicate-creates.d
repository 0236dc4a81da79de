BEGIN /x++ < 10/ { trace(x); }
END /y == 0/ { trace(y++); }
