BEGIN { @ = tick-1(); }
