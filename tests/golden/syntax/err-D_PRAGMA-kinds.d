#pragma D
#pragma D option
#pragma D option two words
#pragma D option nonsense
#pragma D frobnicate
#pragma D depends_on library
#error   stop it  
#nothing
#line x
BEGIN { }
#pragma D attributes Stable/Stable/Common
#pragma D attributes Stable/Stable/Common provider p name more
#pragma D binding "1.0"
#pragma D binding "1.0" a b
#pragma D depends_on module
#pragma D depends_on module a b
