BEGIN { trace(*(void *)arg0); trace(((void *)arg0)[1]); }
