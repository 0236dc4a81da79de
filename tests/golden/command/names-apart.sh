# What: programs, libraries of the user and our libraries have separate names, and each finds its own first.
mkdir lib apart ours
cat >lib/site.d <<'LIBRARY'
inline int TCP_STATE_CLOSED = 100;
inline int AF_INET = 200;
enum { PF_SITE = 5, O_RDONLY = 300 };
typedef struct { char c[3]; } fileinfo_t;
int total;
self int depth;
this string note;
inline int site[int n] = n + AF_INET + O_RDONLY + total;
inline int site_depth = self->depth;
inline string site_note = this->note;
#pragma D binding "1.5" younger
inline int younger = 1;
LIBRARY
cat >lib/tokens.d <<'LIBRARY'
inline int sees_the_other = AF_INET;
LIBRARY
printf 'inline int misses_the_program = of_the_program;\n' >apart/site.d
printf 'inline int SIGHUP = 99;\n' >ours/signal.d
try() {
	echo "$ $*"
	"$DTRACE" -L lib -e -x errtags -x dump=typed "$@" 2>&1
	echo "status $?"
}
# A program may declare all that libraries do, as something else even; the libraries keep theirs.
try -n 'enum { PIDTYPE_PID = 44, TCP_STATE_CLOSED, AF_INET, O_RDWR };
	BEGIN { trace(PIDTYPE_PID); trace(AF_INET); trace(O_RDWR); trace(site[0]);
	trace(tcp_state_string[arg0]); }'
try -n 'inline int O_RDONLY = 7; int SIGKILL; typedef char B_READ; string total; self string depth;
	BEGIN { SIGKILL = O_RDONLY; x = (B_READ)3; total = "own"; self->depth = "own"; trace(site[1]);
	trace(site_depth); }'
try -n 'typedef struct { int mine; } psinfo_t; struct psinfo { char c; };
	BEGIN { trace(sizeof(psinfo_t)); trace(sizeof(struct psinfo)); trace(sizeof(fileinfo_t)); }'
# Names that it does not declare come from libraries, variables too, those of the user first.
try -n 'BEGIN { total = 3; self->depth = 4; this->note = "n"; trace(site[2]); trace(site_depth);
	trace(site_note); trace(TCP_STATE_CLOSED); trace(tcp_state_string[arg0]); trace(sees_the_other); }'
# From its own declaration on, and in all later programs of the handle.
try -n 'BEGIN { trace(AF_INET6); }' -n 'enum { AF_INET6 = 6 }; BEGIN { trace(AF_INET6); }' -n 'BEGIN { trace(AF_INET6); }'
# A file with the name of one of our files replaces it.
echo '$ in the place of ours'
"$DTRACE" -L ours -e -x dump=typed -n 'BEGIN { trace(SIGHUP); }' 2>&1
# Declarations of the program stay; built-ins cannot be declared.
try -n 'enum { AF_INET }; enum { AF_INET }; BEGIN { }'
try -n 'inline int O_RDWR = 1; typedef int O_RDWR; BEGIN { }'
try -n 'int AF_INET; inline int AF_INET = 1; BEGIN { }'
try -n 'inline int AF_INET = 1; BEGIN { }' -n 'enum { AF_INET }; BEGIN { }'
for name in curpsinfo curlwpsinfo fds cwd root curcpu chip lgrp pset cpu pid args arg0 NULL trace; do
	try -n "inline int $name = 1; BEGIN { }"
done
echo '$ in a library, a name of the program'
"$DTRACE" -L apart -e -x errtags -n 'BEGIN { of_the_program = 1; trace(misses_the_program); }' 2>&1
try -n 'BEGIN { zonename = ""; curpsinfo = NULL; cwd = ""; chip++; fds[0] = 0; root += 1; O_CREAT = 1; }'
# Pragmas refer to the program's own names; a program may already have a name that a later version of a library introduces.
try -n '#pragma D attributes Private/Private/Common O_RDWR
	inline int O_RDWR = 1; BEGIN { trace(O_RDWR); }' -x amin=Stable/Stable/Common
try -n '#pragma D attributes Private/Private/Common O_RDWR
	BEGIN { trace(O_RDWR); }'
try -x version=1.4 -n 'inline int younger = 2; BEGIN { trace(younger); }' -n 'BEGIN { trace(younger); }'
try -x version=1.4 -n 'BEGIN { younger = 2; trace(younger); }'
try -x version=1.4 -n 'BEGIN { trace(younger); }'
try -n '#pragma D binding "2.0.2" to_come
	#pragma D binding "2.0.1" there
	inline int to_come = 1; inline int there = 2; BEGIN { trace(there); trace(to_come); }'
