#!-n
BEGIN /x +/ { y = }
