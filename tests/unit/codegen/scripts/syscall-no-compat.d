/* What: without the thread's status there are no 32-bit calls.  Options: status=-1 */
syscall::read:entry { trace(arg0); trace(arg5); }
