# What: symbols of the target by two backquotes: values with types of its debug information, addresses, functions;
# refusals, and
# the report when the target executes another program (language.md 6.6).  Executors: kernel process.
. "$LIB"
program=$TRIGGERS/globals
cat >values.d <<'END'
extern char **environ;
pid$target:a.out:step:return { printf("calls %d\n", ``calls); }
pid$target:a.out:done:entry
{
	printf("%d %d %d\n", ``table[2], a.out``table[3], sizeof(``table));
	printf("%s|%s|%s\n", stringof(``greeting), stringof(``words), ``first.name);
	printf("%s %s\n", ``first.next->name, stringof(``first.next->text));
	printf("%d %d %d %d\n", ``second.low, ``second.high, ``second.state, ``first.state);
	printf("%d\n", ``first.hidden->value);
	printf("%d %d\n", (uintptr_t)&globals``table == (uintptr_t)``table, (uintptr_t)``step == (uintptr_t)&a.out``step);
	usym((uintptr_t)``done);
	printf("\n%d\n", copyinstr((uintptr_t)libc``environ[0]) != "");
	this->p = &``first;
	printf("%s\n", this->p->next->name);
	print(``second.state);
	@[``table[0], ``first.name] = sum(``table[1]);
}
END
must_trace -s values.d -c "$program"
contains '^calls 1$'
contains '^calls 3$'
contains '^calls 6$'
contains '^30 40 16$'
contains '^hello there|of two words|one$'
contains '^two the second$'
contains '^5 4097 -1 7$'
contains '^99$'
contains '^1 1$'
contains '^  *globals`done *$'
contains '^1$'
contains '^two$'
contains 'BROKEN'
contains '^ *10  one  *20$'

# A process that runs already has the same names.
sleep 20 &
until_true 2 grep -qz "sleep.*libc.so.6" "/proc/$!/maps" || fail "sleep has no C library"
must_trace -p $! -n 'BEGIN { trace(&libc.so.6``environ != NULL && &LM0`libc.so.6`environ == &libc``environ); exit(0); }'
kill $!
contains '^1$'

# D's names have neither + nor -.
cp "$program" glob-als++
must_trace -n 'pid$target:a.out:done:entry { printf("%d of %d\n", glob_als__``table[1], sizeof(struct pid`glob_als__`item)); }' -c ./glob-als++
contains "^20 of 48$"

# Without debug information: an extern says the type, or only the address is known.
strip -g -o stripped "$program"
must_trace -n 'extern int table[4]; pid$target:a.out:done:entry { trace(``table[1]); }' -c ./stripped
contains '^20$'
must_trace -n 'pid$target:a.out:done:entry { printf("%d %d", *(userland int *)&``table, sizeof(``table)); }' -c ./stripped
contains '^10 16$'

refused() {
	tag=$1
	shift
	trace -x errtags "$@"
	same "$status" 1 "status of $*"
	contains "\[$tag\]" err
}
for use in '``table' '``table[1]' '``first.name' '``first->name' '*``table' '(int)``table' 'x = ``table'; do
	refused D_SYM_NOTYPES -n "BEGIN { trace($use); }" -c ./stripped
done
refused D_IDENT_UNDEF -n 'BEGIN { trace(``no_such_symbol); }' -c "$program"
refused D_IDENT_UNDEF -n 'BEGIN { trace(libnosuch``table); }' -c "$program"
refused D_IDENT_UNDEF -n 'BEGIN { trace(``table[0]); }'
refused D_SYM_BADREF -n 'BEGIN { trace(a.out`table); }' -c "$program"
contains 'a.out``table' err
refused D_IDENT_UNDEF -n 'BEGIN { trace(table[0]); }' -c "$program"
contains 'table is unknown: the target.s is ``table$' err
refused D_IDENT_UNDEF -n 'BEGIN { trace(``nosuchtable); }' -c "$program"
contains '``nosuchtable is not a symbol of process [0-9]*$' err
refused D_SYM_BADREF -n 'BEGIN { trace(``schedule); }' -c "$program"
contains 'of the kernel: `schedule' err
refused D_OP_INCOMPLETE -n 'BEGIN { trace(``foreign->i_ino); }' -c "$program"
refused D_OP_WRITE -n 'BEGIN { ``table[1] = 5; }' -c "$program"
must_trace -x unodefs -n 'BEGIN { printf("%d\n", &``no_such_symbol == NULL); exit(0); }'
contains '^1$'

trace -n 'pid$target:a.out:done:entry { n++; } END { printf("%d %d\n", n, sizeof(``table)); }' -c "$program again"
contains '^2 16$'
contains 'executed another program: the symbols of the target' err
