BEGIN { @a = nosuch(); @b = cuont(); }
