BEGIN { ustack(1, -1); ustack(1, 0x80000000); jstack(1, "x"); }
