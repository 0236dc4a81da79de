# What: -L comes first and hides our file of the same name; syslibdir replaces ours; nolibs
# leaves all out; files of -L are checked whole, of the others only what a program uses.  Needs: btf.
. "$LIB"
mkdir one two damaged
printf 'inline int four = 4;\ninline int ESRCH = 33;\n' >one/errno.d
printf 'inline int four = 44;\ninline int five = four + 1;\n' >two/numbers.d
printf '#pragma D option aggsortrev\n#pragma D depends_on library numbers.d\ninline int six = five + 1;\n' >two/six.d
printf '#pragma D depends_on module no_such_module\ninline int seven = 7;\n' >two/seven.d
printf 'inline int eight = nonsense + ;\ninline int nine = 9;\nBEGIN { printf("never"); }\n' >damaged/eight.d
printf 'typedef struct task { int id; string name; } task_t;
translator task_t < struct task_struct *T > { id = T->pid; name = stringof(T->comm); };
inline task_t *curtask = xlate <task_t *>(curthread);\n' >two/task.d

must_trace -L one -L two -n 'BEGIN { printf("%d %d %d %d\n", four, ESRCH, five, six); exit(0); }'
same "$(cat out)" '4 33 5 6' 'values'
trace -L one -n 'BEGIN { trace(ENOENT); exit(0); }'
contains 'ENOENT is unknown' err # our errno.d is hidden
trace -L two -n 'BEGIN { trace(seven); exit(0); }'
contains 'seven is unknown' err
must_trace -x syslibdir=damaged -n 'BEGIN { printf("%d\n", nine); exit(0); }'
same "$(cat out)" '9' 'beside something broken'
for program in 'trace(nine)' 'trace(eight)' 'trace(1)'; do
	trace -L damaged -n "BEGIN { $program; exit(0); }"
	same "$status" 1 "status of a broken library, $program"
	contains 'damaged/eight.d", line 1: ' err
	contains 'eight = nonsense + ;' err
	same "$(grep -c 'line 1: ' err)" 1 "messages of $program"
done
mkdir whole
printf 'inline int fine = 1;\n#pragma D depends_on library nowhere.d\n' >whole/a.d
printf '#pragma D option nosuchoption\ninline int good = 1;\nBEGIN { trace(not_there); }\n' >whole/b.d
printf 'struct w { int n; };\ntranslator struct w < int i > { n = i; m = 2; };\ninline string w_text = 5;\n' >whole/c.d
printf '#pragma D depends_on module no_such_module\ninline int skipped = nonsense;\n' >whole/d.d
trace -x errtags -L whole -n 'BEGIN { exit(0); }'
same "$status" 1 'status of broken libraries that nobody uses'
for text in 'D_PRAGMA_DEPEND.*a.d", line 2: .*no library nowhere.d' 'D_PRAGMA_OPTSET.*b.d", line 1: ' 'D_IDENT_UNDEF.*b.d", line 3: ' \
	'D_XLATE_MEMB.*c.d", line 2: ' 'D_OP_INCOMPAT.*c.d", line 3: '; do
	contains "$text" err
done
grep -q 'd\.d"' err && fail 'a library for another kernel was checked'
must_trace -L two -n 'BEGIN /curtask->id == tid/ { printf("%s\n", curtask->name); exit(0); }'
same "$(cat out)" dtrace 'a translator of the library'
must_trace -x syslibdir=two -n 'BEGIN { printf("%d\n", five); exit(0); }'
same "$(cat out)" 45 'the system directory'
trace -x syslibdir=two -n 'BEGIN { trace(ESRCH); }'
contains 'ESRCH is unknown' err
trace -x nolibs -L two -n 'BEGIN { trace(five); trace(curpsinfo->pr_pid); }'
contains 'five is unknown' err
contains 'curpsinfo is unknown' err
must_trace -x nolibs -n 'BEGIN { printf("%d %d\n", NULL, sizeof(NULL)); exit(0); }'
same "$(cat out)" '0 8' NULL
must_trace -L nowhere -n 'BEGIN { exit(0); }'

# The system's directory has subdirectories for kernels; the newest that suits ours comes first.
ours=$(uname -r | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
mkdir -p "kernels/$ours" "kernels/${ours%%.*}.0.0" kernels/3.10 kernels/3.9.100 kernels/999.1 "kernels/$ours." "kernels/$ours-x" kernels/999
for directory in kernels/*; do
	printf 'inline string where = "%s";\n' "${directory#*/}" >"$directory/where.d"
done
printf 'inline string where = "here";\n' >kernels/where.d
printf 'inline string there = "there";\n' >kernels/there.d
must_trace -x syslibdir=kernels -n 'BEGIN { printf("%s %s\n", where, there); exit(0); }'
same "$(cat out)" "$ours there" "the running kernel's"
rm -r "kernels/$ours" "kernels/${ours%%.*}.0.0"
must_trace -x syslibdir=kernels -n 'BEGIN { printf("%s\n", where); exit(0); }'
same "$(cat out)" 3.10 "an older kernel's"
rm -r kernels/3.*
must_trace -x syslibdir=kernels -n 'BEGIN { printf("%s\n", where); exit(0); }'
same "$(cat out)" here "no kernel's"

# Libraries that depend on each other in a circle are reported: those of -L always, others if one is used.
mkdir circle
printf '#pragma D depends_on library b.d\ninline int in_a = 1;\n' >circle/a.d
printf 'inline int in_b = 2;\n#pragma D depends_on library c.d\n' >circle/b.d
printf '#pragma D depends_on library a.d\ninline int in_c = 3;\n' >circle/c.d
printf 'inline int in_d = 4;\n' >circle/d.d
trace -L circle -n 'BEGIN { trace(in_b); exit(0); }'
same "$status" 1 'status of a circle'
contains 'circle/a.d", line 1: .*in a circle: b.d => c.d => a.d => b.d' err
trace -L circle -n 'BEGIN { printf("%d\n", in_d); exit(0); }'
contains 'circle/[abc].d", line [12]: .*in a circle: ' err
must_trace -x syslibdir=circle -n 'BEGIN { printf("%d\n", in_d); exit(0); }'
same "$(cat out)" 4 'beside a circle'

# Declarations of a library stay when a clause is checked a second time: its predicate defines a variable that its
# body reads.
mkdir variables
printf 'string word;\nint total;\n' >variables/v.d
must_trace -L variables -n 'BEGIN /(this->x = 3)/ { word = "abc"; total += this->x; }
	BEGIN { printf("%s %d %d\n", word, total, sizeof(total)); exit(0); }'
same "$(cat out)" 'abc 3 4' 'variables of a library'

# A translator that came with a later version; it is bound by the pragma in front of it.
mkdir versions
printf 'struct seen { int n; };
#pragma D binding "1.6" translator
translator struct seen < int i > { n = i; };
translator struct seen < struct task_struct *t > { n = t->pid; };
' >versions/v.d
must_trace -L versions -n 'BEGIN { printf("%d\n", xlate <struct seen>((int)4).n); exit(0); }'
same "$(cat out)" 4 'a bound translator'
trace -L versions -x errtags -x version=1.5 -n 'BEGIN { trace(xlate <struct seen>((int)4).n); exit(0); }'
contains 'D_XLATE_NONE' err
must_trace -L versions -x version=1.5 -n 'BEGIN /xlate <struct seen>(curthread).n == tid/ { exit(0); }'

# The site's directory comes after -L and before ours.
mkdir site
printf 'inline int four = 4;\ninline int ESRCH = 34;\n' >site/errno.d
unshare -m sh -c 'mount -t tmpfs none /etc && mkdir -p /etc/dtrace && cp -r site /etc/dtrace/lib &&
	"$0" -qn "BEGIN { printf(\"%d %d\n\", four, ESRCH); exit(0); }" &&
	"$0" -L one -qn "BEGIN { printf(\"%d\n\", ESRCH); exit(0); }"' "$DTRACE" >out 2>err
same "$(cat out)" '4 34

33' "the site's directory"

# A program's own types are its own business.
cat >own.d <<'D'
typedef struct fileinfo { int mine; } fileinfo_t;
fileinfo_t f;
BEGIN { f.mine = 5; printf("%d\n", f.mine); exit(0); }
D
must_trace -s own.d
same "$(cat out)" 5 'a type of the program'
cat >own.d <<'D'
struct task_struct { int x; };
struct psinfo { int y; };
typedef struct psinfo psinfo_t;
typedef int lwpsinfo_t;
struct task_struct t;
psinfo_t p;
BEGIN
{
	p.y = 3;
	t.x = 4;
	printf("%d %d %d %d %d\n", curthread->tgid == pid, curpsinfo->pr_pid == pid, curlwpsinfo->pr_lwpid == tid, p.y, t.x);
	exit(0);
}
D
must_trace -s own.d
same "$(cat out)" '1 1 1 3 4' "the kernel's types and the library's beside the program's"
must_trace -n 'inline int ESRCH = 5; BEGIN { printf("%d\n", ESRCH); exit(0); }'
same "$(cat out)" 5 'an inline of the program'

# An unterminated item is reported, and the items before it are valid.
mkdir broken
printf 'inline int good = 1;\ninline int bad = (1;\n' >broken/a.d
trace -L broken -n 'BEGIN { exit(0); }'
same "$status" 1 'status of what has no end'
contains 'broken/a.d", line 2: this has no end' err
trace -x syslibdir=broken -n 'BEGIN { printf("%d\n", good); exit(0); }'
same "$(cat out)" 1 'before what is broken'
contains 'broken/a.d, line 2: this has no end' err
