inline int on = 1;
BEGIN { pid ? printf("a") : 1; on ? pid ? 1 : printf("b") : 1; nosuch ? printf("c") : 1; pid && printf("d"); }
BEGIN { pid ? @a = count() : 1; x = on ? printf("e") : 1; }
BEGIN /on ? printf("f") : 1/ { }
