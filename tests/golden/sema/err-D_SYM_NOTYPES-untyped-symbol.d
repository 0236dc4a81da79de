BEGIN { trace(`ext4_limit); x = `ext4_limit; trace(`ext4_limit + 1); trace((int)`ext4_limit); }
/* As large as a number, or larger, but maybe none. */
BEGIN { trace(`two_pointers); trace(`two_ints); trace(`three_bytes); trace(`many_ints); }
