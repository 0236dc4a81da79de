struct task_struct { struct task_struct *next; int value; };
struct task_struct t;
BEGIN { trace(t.next->next->value); trace(sizeof(struct task_struct)); }
