/* What: what a pointer points to is copied beside the address; a value stands for itself. */
struct pt { int x, y; };
read:entry { print((struct pt *)arg1); print((int *)alloca(4)); print(arg2); print(execname); }
