/* What: each string has its temporary; results are chained without copies. */
BEGIN { x = strjoin(substr("hello", 1, 3), lltostr(42)); trace(strlen(x)); trace(index(x, "l")); }
BEGIN { trace(strtok("a,b", ",")); trace(strtok(NULL, ",")); trace(x > "abc" ? x : "less"); }
