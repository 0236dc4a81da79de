# What: types of the target's files by name, pid`object`type: casts of a function's arguments, variables, copies (language.md 5.7).  Executors: kernel process.
. "$LIB"
cat >types.d <<'END'
this struct pid`a.out`item copy;
struct pid`globals`item *last;
pid$target:a.out:take:entry
{
	this->p = (pid`a.out`item_t *)arg0;
	printf("%s %s %s %d\n", this->p->name, this->p->next->name, stringof(this->p->next->text), this->p->next->low);
	printf("%d %d\n", sizeof(struct pid`a.out`item), offsetof(pid`a.out`item_t, text));
	this->copy = *this->p;
	printf("%s %s\n", this->copy.name, this->copy.next->name);
	last = *(pid`a.out`item_pointer *)arg1;
	printf("last %s\n", last->name);
	last = (pid`a.out`item_pointer)arg0;
	printf("last %s\n", last->name);
	printf("%d %d\n", (enum pid`a.out`state)7 == this->p->state, ((pid`a.out`struct item *)arg0)->state);
	print(*this->p);
}
END
must_trace -s types.d -c "$TRIGGERS/globals"
contains '^one two the second 5$'
contains '^48 24$'
contains '^one two$'
contains '^last two$'
contains '^last one$'
contains '^1 7$'
contains '^    enum state state = BUSY$'

# Pointers to pointers and arrays of the process are there, too; memory copied by copyin() is in D.
must_trace -q -n 'pid$target:a.out:take:entry {
	printf("%s %s\n", (*(struct pid`a.out`item **)arg1)->name, (*(pid`a.out`item_t (*)[1])arg0)[0].name);
	this->copy = (struct pid`a.out`item *)copyin(arg0, sizeof(struct pid`a.out`item));
	printf("%s, then %s\n", this->copy->name, this->copy->next->name);
	this->plain = copyin(arg0, sizeof(struct pid`a.out`item));
	printf("%s again\n", ((pid`a.out`item_pointer)this->plain)->name);
}' -c "$TRIGGERS/globals"
contains '^two one$'
contains '^one, then two$'
contains '^one again$'

# Of a process that has a number; of others than the target, too.
TRIGGER_GATE=$PWD/gate "$TRIGGERS/globals" &
other=$!
until_true 2 grep -qz "globals.*libc.so.6" "/proc/$other/maps" || fail "globals has no C library"
must_trace -n "BEGIN { printf(\"%d\n\", sizeof(struct pid$other\`globals\`item)); exit(0); }"
touch gate
contains '^48$'
wait "$other"

trace -x errtags -n 'BEGIN { trace(sizeof(struct pid`a.out`nosuch)); }' -c "$TRIGGERS/globals"
same "$status" 1 "status of an unknown type"
contains '\[D_DECL_IDENT\].*there is no type pid`a.out`nosuch' err
# Written as in C: whose it is, if the target has one.
trace -n 'BEGIN { trace(((struct item *)0)->name); trace(((struct nosuch *)0)->name); }' -c "$TRIGGERS/globals"
same "$status" 1 "status of an incomplete type"
contains 'struct item is incomplete: its members are unknown: the target.s is struct pid`a.out`item$' err
contains 'struct nosuch is incomplete: its members are unknown (declare it' err
trace -x errtags -n 'BEGIN { trace(sizeof(struct pid`a.out`item)); }'
same "$status" 1 "status without a target"
contains '\[D_DECL_IDENT\].*there is no target: name the process by -p' err
