fake::: { trace(args[0]); }
