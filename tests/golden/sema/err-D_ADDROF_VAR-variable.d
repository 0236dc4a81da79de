BEGIN { x = 1; trace(&x); trace(&pid); trace(&arg0); }
