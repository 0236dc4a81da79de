inline int PR_STOPPED = 1;
