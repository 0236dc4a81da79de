BEGIN { @a = count(); @b[1] = count(); printa(@a, @b); }
