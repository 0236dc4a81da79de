BEGIN /x/
