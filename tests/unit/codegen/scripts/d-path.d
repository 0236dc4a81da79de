/* What: the names that are walked over have room of their own, for the time of the call. */
struct path; BEGIN { trace(d_path((struct path *)16)); x = strlen(d_path((struct path *)32)); }
