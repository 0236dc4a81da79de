/* Symbols of the target without a target, and names written as the kernel's. */
BEGIN { trace(``environ); trace(libc``environ); }
BEGIN { trace(libc`environ); }
BEGIN { trace(libc.so.6`environ); }
