/* What: a comparison with execname needs a slot; the false path gives it back. */
syscall::read:entry /execname == "cat" && arg2 > 100/ { trace(arg2); }
