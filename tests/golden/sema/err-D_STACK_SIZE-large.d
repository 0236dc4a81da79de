BEGIN { stack(0x100000000); }
