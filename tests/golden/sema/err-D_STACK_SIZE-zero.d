BEGIN { stack(0); stack(pid); }
