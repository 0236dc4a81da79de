BEGIN { tracemem(arg0, pid); tracemem(arg0, 0); }
