int x;
BEGIN { x["a"] = 2; x[1] = 2; trace(x["a", 2]); }
