BEGIN { trace(1); speculate(1); }
BEGIN { printf("x"); speculate(1); }
BEGIN { stack(); speculate(1); }
BEGIN { @a = count(); } BEGIN { printa(@a); speculate(1); }
BEGIN { exit(0); speculate(1); }
