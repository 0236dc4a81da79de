BEGIN /x / 2 == 3/ /* then */ { y = 4 / 2; z /= 2 }
BEGIN /x//* closes */ { }
BEGIN /(a / b)/ // closes too
# 5 "slashes.d"
{ }
BEGIN /(a [ b / { }
END /a/ b/ { }
