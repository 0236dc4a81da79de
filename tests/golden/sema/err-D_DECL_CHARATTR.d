long char x; short char y;
