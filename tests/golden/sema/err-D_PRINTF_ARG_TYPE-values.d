struct texts { char narrow[4]; int wide[4]; };
BEGIN { @n[1] = count(); @q[1] = quantize(1); @s[1] = sum(1); }
BEGIN { printa("%@d %@s\n", @n, @q); printa("%@s %@d %@c\n", @q, @s, @n); printa("%@d %@s\n", @n, @s); }
BEGIN { printf("%ls", ((struct texts *)arg0)->wide); printf("%ls", ((struct texts *)arg0)->narrow); printf("%ws", ((struct texts *)arg0)->narrow); }
BEGIN { printf("%P", (short)80); printf("%P", pid); printf("%P", (char)1); }
