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
