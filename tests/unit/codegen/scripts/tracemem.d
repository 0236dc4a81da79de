/* What: the address is a value of any form; the bytes there are copied, beside how many of them are shown. */
struct node { struct node *next; char *name; };
read:entry { tracemem(arg1, 8); tracemem(((struct node *)arg0)->next->name, 8, *(char *)arg2); tracemem(*(char **)arg1, 4); }
