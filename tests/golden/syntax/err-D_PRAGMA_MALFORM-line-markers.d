#line
#line x
#line 5x
#line 5 foo
#line 5 "foo" bar
#line "foo"
#line 99999999999
# 5 foo
BEGIN { }
