BEGIN { trace((nosuch_t *)arg0); trace(sizeof(nosuch_t *)); }
