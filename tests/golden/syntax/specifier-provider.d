#!-P
foo*
