/* Symbols of the target where there is none, and where the name is written as one of the kernel. */
BEGIN { trace(``environ); trace(libc``environ); }
BEGIN { trace(libc`environ); }
BEGIN { trace(libc.so.6`environ); }
