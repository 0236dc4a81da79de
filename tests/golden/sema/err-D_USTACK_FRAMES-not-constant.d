BEGIN { ustack(pid); jstack(-1); }
