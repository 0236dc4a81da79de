/* What: copies whose size is known at run time stay in alloca memory. */
BEGIN { x = 5; p = alloca(16); bcopy((void *)64, p, x); copyinto(4096, x, p); }
