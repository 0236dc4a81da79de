#!-n
BEGIN { x = ; }
