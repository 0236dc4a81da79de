#!-K types of a kernel: bit-fields, unnamed members, enums, arrays
struct queue *q;
BEGIN { trace(q->low); trace(q->high); x = q->low + q->high; }
BEGIN { trace(q->number); trace(q->bytes[2]); trace(q->name); trace(sizeof(q->name)); trace(q->next->next->count); }
BEGIN { trace(q->state == DEAD); trace(q->state != RUNNING ? 1 : 0); s = q->state; trace(s == DEAD); trace(q->huge == HUGE_ONE); }
BEGIN { trace(q->tail[3]); trace(*q->tail); trace((uint64_t)q->call); trace(q->call == 0); }
BEGIN { trace(sizeof(struct queue)); trace(offsetof(struct queue, bytes)); trace(sizeof(enum huge)); trace((enum state)16); }
BEGIN { trace(((uint64_t *)&q->wide)[1]); trace(q->load); copy = *q; trace(copy.number); m[*q] = 1; }
