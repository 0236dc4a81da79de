BEGIN { printf("%d %d", pid); @a[1] = count(); printa("%d %d %@d", @a); }
BEGIN { printa("%d %d", @a); }
