BEGIN { trace(strftime("%Q", 1)); }
BEGIN { trace(strftime("at %-d", 1)); }
BEGIN { trace(strftime("100%", 1)); }
BEGIN { trace(strftime("", 1)); }
BEGIN { trace(strftime(execname, 1)); }
BEGIN { trace(strftime("%H")); }
BEGIN { trace(strftime("%H", "x")); }
BEGIN { trace(strlen(strftime("%H", 1))); }
BEGIN { trace(stringof(strftime("%H", 1))); }
