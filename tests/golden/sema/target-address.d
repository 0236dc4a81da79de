#!-p
BEGIN { printf("%A", arg0); }
