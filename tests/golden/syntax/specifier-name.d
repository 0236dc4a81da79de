#!-n
syscall::read:entry /pid == $1/ { printf("x"); }
