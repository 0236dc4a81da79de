fake::read:entry { trace(args[3]); trace(args[-1]); trace(args[pid]); } BEGIN { trace(args[0]); }
