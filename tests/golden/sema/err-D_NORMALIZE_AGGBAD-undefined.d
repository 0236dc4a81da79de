BEGIN { normalize(@a, 1); }
