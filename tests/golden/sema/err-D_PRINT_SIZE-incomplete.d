struct later; BEGIN { print((struct later *)arg0); }
