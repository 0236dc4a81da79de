BEGIN { tracemem(arg0, 1, 2, 3); }
