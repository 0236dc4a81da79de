BEGIN { printf(); system(); freopen(); printa(); tracemem(1); @a = quantize(); @b = sum(); exit(); trace(); }
