BEGIN { @a[1] = count(); clear(@a[1]); trunc(@a[1]); normalize(@a[1], 2); denormalize(@a[1]); }
