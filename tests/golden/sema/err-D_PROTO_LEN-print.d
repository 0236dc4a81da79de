BEGIN { print(); print(1, 2); }
