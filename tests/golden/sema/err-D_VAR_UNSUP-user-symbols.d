/* Symbols of processes: what to do until D knows them. */
BEGIN { trace(``environ); trace(libc``environ); }
BEGIN { trace(libc`environ); }
BEGIN { trace(libc.so.6`environ); }
