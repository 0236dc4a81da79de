/* What: widths and precisions have a limit, in printf() and printa(), in text and numbers. */
BEGIN { printf("%65536d %-65536s %.65536d", 1, "x", 2); }
BEGIN { printf("%2000000000d", 1); }
BEGIN { printf("%65537s", "x"); }
BEGIN { printf("%.99999999999999999999s", "x"); }
BEGIN { @ = count(); printa("%@65537d", @); }
