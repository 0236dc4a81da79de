BEGIN { vtimestamp = 1; walltimestamp++; execname = "x"; arg9 = 1; probename = "x"; probeprov = "x"; }
