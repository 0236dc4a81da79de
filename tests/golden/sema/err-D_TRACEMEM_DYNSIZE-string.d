BEGIN { tracemem(arg0, 1, "x"); }
