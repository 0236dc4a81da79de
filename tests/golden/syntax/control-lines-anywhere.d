 	# 
#	pragma D binding "1.0" x
inline
#pragma D attributes Stable/Stable/Common a
int x =
#ident anything goes here "
1;
struct s {
#pragma D attributes Stable/Stable/Common b
	int a;
#pragma once
};
BEGIN,
# pragma D attributes Stable/Stable/Common c
END
#pragma D attributes Stable/Stable/Common d
/x
  #pragma ident "e"
/
#!/bin/sh
{
#pragma D attributes Stable/Stable/Common f
	y = 1
#pragma GCC poison y
	+ x; #pragma D attributes Stable/Stable/Common no
	z = ;
#line 90
	z = ;
#line 200 "one.h"
	z = ;
# 300 "two.h" 1
	z = ;
# 400 "one.h" 2 3
	z = ;
#line 40 "control-lines-anywhere.d"
	z = ;
#error   stop   here /* not a comment */ 
#error
#frobnicate
}
#pragma D attributes Stable/Stable/Common behind
