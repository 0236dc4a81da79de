BEGIN { trace(bcopy((void *)1, (void *)2, 3)); trace((void)1); }
