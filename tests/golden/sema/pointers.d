struct node { int value; struct node *next; short tail[3]; unsigned f1 : 3; unsigned f2 : 13; char name[16]; };
struct node *head;
BEGIN
{
	head = (struct node *)arg0;
	trace(head->value); trace(head->next->next->value); trace((*head).value); trace(head[2].value);
	trace(&head->next); trace(head + 1); trace(1 + head); trace(head - 2); trace(head - head->next);
	trace(head->tail[1]); trace(*head->tail); trace(head->f1); trace(head->f2); trace(*head);
	trace(head->tail); trace(head->name); trace(stringof(head->name)); trace(&head->tail[2]);
	trace(head == NULL); trace(head == head->next); trace(head != 0); trace(!head);
	head++; head += 3; trace(offsetof(struct node, next)); trace(sizeof(struct node));
	trace(sizeof(head->name)); trace(head->name == "x"); trace(*(int *)arg1); trace(((char *)arg1)[3]);
	trace(pid[head].value); trace((int)head); trace(*stringof(arg0));
}
