BEGIN { x = 1; } /* a /* b
END { }
