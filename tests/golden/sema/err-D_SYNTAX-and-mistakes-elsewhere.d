inline int limit = ;
struct later { int x y; };
BEGIN { trace(; }
import thing;
BEGIN { x = 1; trace(timstamp); trace(limit); trace(sizeof(struct later)); }
BEGIN { y = 5 }}
BEGIN { trace(y); trace(z); @a = count(; }
BEGIN { printa(@a); printa(@b); trace(x + "a"); }
END { trace(1);
