BEGIN { ustack(pid); jstack(-1); ustack(0); jstack(0); }
