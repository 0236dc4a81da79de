#!-K
BEGIN { trace(((struct queue *)arg0)->wide + 1); }
__int128 x;
BEGIN { x = 1; trace(x); y = x; }
