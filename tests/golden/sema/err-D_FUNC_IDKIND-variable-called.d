BEGIN { x = 1; trace(x(3)); trace(pid()); }
