BEGIN { @a = count(); @b[@a] = count(); x[@a] = 1; @b[1, @a[2]] = count(); }
