BEGIN { @a = count(); printa(pid); printa(@a, 3); @b[1] = count(); printa(@b[1]); }
