BEGIN { printf("%q", 1); printf("%5", 1); printf("%1$d", 1); }
BEGIN { printf("%**d", 1, 2, 3); printf("%.*.*d", 1, 2, 3); printf("%..3d", 1); }
BEGIN { printf("%5%"); printf("%-%"); printf("%"); printf("%l"); printf("%hs", "x"); printf("%M", 1); printf("%n", 1); }
BEGIN { @a = count(); printa("%@", @a); printa("%2$@d", @a); }
