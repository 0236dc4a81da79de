BEGIN { @a = 5; @b = strlen("x"); @c += 1; @d = cuont(); }
