/* What: symbols are an address, of a process with its number. */
profile-97 { @[sym(arg0), ufunc(arg1)] = count(); printf("%A", usym(arg1)); }
