struct later; BEGIN { trace(sizeof(void)); trace(sizeof(struct later)); }
