fake::exit:entry { trace(args[1]); }
