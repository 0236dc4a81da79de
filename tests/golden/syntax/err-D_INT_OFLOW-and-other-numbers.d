BEGIN { 18446744073709551616; 0x1ffffffffffffffff; }
BEGIN { 089; 0x; 0xg; 0b11; 12abc; 1uu; 1lll; }
BEGIN { 1.5; 1e5; .5; 1.0f; }
