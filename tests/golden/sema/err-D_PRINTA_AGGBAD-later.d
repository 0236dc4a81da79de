END { printa(@a); clear(@a); trunc(@a); normalize(@a, 2); denormalize(@a); }
BEGIN { @a = count(); }
