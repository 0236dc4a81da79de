#!-K
int DEAD;
struct queue *q;
BEGIN { trace(q->state == DEAD); trace(DEAD == 1); trace(q->state == RUNNING); }
