BEGIN { trace(strlne("x")); trace(json("{}", "a")); }
