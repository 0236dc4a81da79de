#!/usr/sbin/dtrace -qs
#
#ident "x"
#pragma ident "y"
#pragma whatever
#pragma D option strsize=256 /* a comment */
  #pragma D depends_on library foo.d
#pragma D attributes Stable/Stable/Common provider myapp args
#pragma D binding "1.2" translator
# 100 "header.h" 1
int from_header;
# 20 "control-lines.d" 2
int from_script;
BEGIN
/1
#line 50
/
{
# 7 "other.d"
	x = ;
}
