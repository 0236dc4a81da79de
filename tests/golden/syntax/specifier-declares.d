#!-n
int x; self string s; BEGIN { x = 1 } short/x/ {} 
