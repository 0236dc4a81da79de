BEGIN { normalize(pid, 1); denormalize(1); }
