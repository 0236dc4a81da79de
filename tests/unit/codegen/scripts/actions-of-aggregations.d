/* What: clear, trunc, normalize and printa leave records. */
tick-1 { @a[pid] = count(); normalize(@a, 10); trunc(@a, 5); printa("%d %@d\n", @a); clear(@a); }
