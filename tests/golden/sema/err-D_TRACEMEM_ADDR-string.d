BEGIN { tracemem("x", 3); }
