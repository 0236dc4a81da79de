BEGIN { vtimestamp = 1; walltimestamp++; zonename = "x"; arg9 = 1; probename = "x"; probeprov = "x"; }
