BEGIN { tracemem(arg0, -1); tracemem(arg0, 0x100000000); }
