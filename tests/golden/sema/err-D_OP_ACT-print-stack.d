BEGIN { print(stack()); print(sym(arg0)); }
