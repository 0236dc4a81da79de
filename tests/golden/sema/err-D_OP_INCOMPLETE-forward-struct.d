struct later *p; BEGIN { trace(p->x); }
