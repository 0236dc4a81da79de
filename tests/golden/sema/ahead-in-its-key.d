BEGIN { @a[n, n % 2 ? "a" : "b"] = count(); b[m] = 1; n++; m = (char)1; }
