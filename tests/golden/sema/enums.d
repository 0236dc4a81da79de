enum color { RED, GREEN = 5, BLUE }; enum color c; typedef enum { A = 1, B = A + 4, C } abc_t; abc_t x;
BEGIN { c = RED; trace(BLUE); trace(c == GREEN); trace(C); x = (abc_t)2; trace((enum color)9); trace(c + 1); }
