#!-K
struct queue *q;
BEGIN { x = DEAD; trace(q->count == HUGE_ONE); trace(DEAD == q->state); trace(q->state == DEAD); trace(DAED); }
