# What: each kind of fault has its number, its value and its text, in ERROR and in the message; the
# place is the statement, or the predicate.  Needs: btf.
. "$LIB"
# fault STATEMENTS PLACE CODE VALUE TEXT - what ERROR sees, and the message without it
fault() {
	must_fault -w -n "BEGIN { $1 } BEGIN { exit(0); } ERROR { printf(\"%d %d %d %d %x\n\", arg1, arg2, arg3, arg4, arg5); }"
	same "$(sed '/^$/d' out)" "1 $2 -1 $3 $4" "arguments of ERROR after $1"
	trace -w -n "BEGIN { $1 } BEGIN { exit(0); }"
	same "$(sed 's/ (line 1).*//' err)" \
		"dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): $5 in action #$2" "message after $1"
}
fault 'trace(*(int *)16);' 1 1 10 'invalid address (0x10)'
fault 'trace(*(char *)-1);' 1 1 ffffffffffffffff 'invalid address'
fault 'trace(((struct list_head *)0)->prev);' 1 1 8 'invalid address (0x8)'
fault 'x = 1; trace(strlen((string)NULL));' 2 1 0 'invalid address (0x0)'
for recorded in 'printf("%s", (string)NULL);' 'trace((string)NULL);' '@[(string)NULL] = count();'; do
	fault "$recorded" 1 1 0 'invalid address (0x0)'
done
fault 'copyin(24, 4);' 1 1 18 'invalid address (0x18)'
fault 'trace(copyinstr(24));' 1 1 18 'invalid address (0x18)'
fault 'copyinto(24, 4, alloca(4));' 1 1 18 'invalid address (0x18)'
# Of the kernel's or of the process's memory, used the other way: no other fault, because no user is restricted here.
must_fault -n 'BEGIN { x = (uintptr_t)curthread; copyin(x, 4); } BEGIN { copyinstr(x); } BEGIN { x = uregs[R_SP]; y = *(int *)x; }
	BEGIN { x++; y = *(int *)x; } BEGIN { exit(0); } ERROR { printf("%d %d ", arg4, arg5 == x); }'
same "$(head -n 1 out)" '1 1 1 1 1 1 1 1 ' 'memory of the other side'
must_trace -n 'BEGIN { x = (uintptr_t)curthread + 1; y = *(int *)x; z = *(int *)copyin(uregs[R_SP] + 1, 4); printf("here"); exit(0); }'
same "$(head -n 1 out)" here 'addresses that are not aligned'
fault 'x = 0; x = 7 / x;' 2 4 0 divide-by-zero
fault 'x = 0; y = 1; x = 7 % x;' 3 4 0 divide-by-zero
for illegal in 'raise(-1);' 'raise(1000);' 'trace(strtoll("1", 37));' 'trace(lltostr(1, 1));' \
	'trace(inet_ntop(5, alloca(16)));' 'trace(link_ntop(5, alloca(20)));'; do
	fault "$illegal" 1 3 0 'illegal operation'
done
fault 'commit(-1);' 1 12 ffffffffffffffff 'illegal speculation id (-1)'
fault 'discard(99);' 1 12 63 'illegal speculation id (99)'
fault 'speculate(99);' 1 12 63 'illegal speculation id (99)'
fault 'n = 1 << 30; alloca(n);' 2 5 40000000 'out of scratch space'
fault 'n = 1 << 30; copyin(4096, n);' 2 5 40000000 'out of scratch space'
fault 'n = 9; bcopy((void *)curthread, alloca(8), n);' 2 10 9 'invalid size (0x9)'

must_fault -n 'int a[4]; BEGIN { i = 4; trace(a[i]); } BEGIN { i = -3; a[i] = 1; } BEGIN { exit(0); }
	ERROR { printf("%d %d %d\n", arg1, arg4, arg5); }'
same "$(tr '\n' , <out)" '1 11 4,2 11 -3,,' 'indexes'
trace -n 'int a[4]; BEGIN { i = -3; a[i] = 1; exit(0); } BEGIN { exit(0); }'
contains 'index out of bounds (-3) in action #2' err
must_fault -n 'BEGIN / *(int *)16/ { trace(1); } BEGIN { exit(0); } ERROR { printf("%d %d %x\n", arg2, arg4, arg5); }'
same "$(head -n 1 out)" '0 1 10' 'a predicate'

# In ERROR itself a fault is counted only.
trace -x droptags -n 'BEGIN { x = 0; y = 1 / x; } ERROR { y = 1 / x; } BEGIN { exit(0); }'
same "$(sed 1d err)" 'dtrace: [DTRACEDROP_DBLERROR] 1 error in ERROR probe enabling' 'a fault in ERROR'
contains 'error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #2' err

# Errors of the consumer.
trace -w -n 'BEGIN { freopen("/nosuch/x"); printf("here\n"); setopt("bufsize", "1m"); setopt("nosuch");
	@a = count(); normalize(@a, 0); exit(0); }'
same "$(sed -n 1p out)" here 'after a failed freopen()'
sed 's/.*BEGIN): //' err >told
cat >wanted <<'W'
couldn't freopen() "/nosuch/x": No such file or directory
couldn't set option "bufsize" to "1m": Operation illegal when tracing is active
couldn't set option "nosuch" to "1": Invalid option name (dtrace --help lists them)
Invalid normalization: normalize() by 0
W
diff wanted told || fail "library-level faults"
