BEGIN { printf("%d", pid, tid); }
