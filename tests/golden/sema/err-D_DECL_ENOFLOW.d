enum { A = 0x80000000 }; enum { B = 0x7fffffff, C };
