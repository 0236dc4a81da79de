BEGIN { x = 1; trace(1); y = 2; @ = count(); if (x) { trace(2); } exit(0); }
