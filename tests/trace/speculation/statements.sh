# What: the effects of a clause that speculates, commits or discards, anywhere in the clause.
. "$LIB"
# shows WANTED PROGRAM [OPTION...] - quiet; lines joined by /
shows() {
	wanted=$1 program=$2
	shift 2
	case $program in
	*ERROR*) must_fault "$@" -n "$program" ;;
	*) must_trace "$@" -n "$program" ;;
	esac
	same "$(tr '\n' '/' <out)" "$wanted/" "$program"
}
# Statements before a useless speculate() are executed, those after it are not; nothing is undone.
shows '1 1/' 'BEGIN { s = speculation(); discard(s); } BEGIN { x = 1; speculate(0); x = 2; printf("no"); } BEGIN { y = 1; speculate(s); y = 2; trace(1); }
	BEGIN { printf("%d %d\n", x, y); exit(0); }'
shows '5 7/' 'BEGIN { s = speculation(); } BEGIN { x = 5; speculate(s); y = 7; trace(1); } BEGIN { discard(s); }
	BEGIN { printf("%d %d\n", x, y); exit(0); }'
# Commits are done in their order, a second one of the same id does nothing; the id is free at once.
shows 'b1 b2 a 1/' 'BEGIN { a = speculation(); b = speculation(); } BEGIN { speculate(b); printf("b1 "); } BEGIN { speculate(a); printf("a "); }
	BEGIN { speculate(b); printf("b2 "); } BEGIN { commit(b); commit(a); commit(b); discard(a); }
	BEGIN { printf("%d\n", speculation()); exit(0); }' -x nspec=2
shows '1 1/' 'BEGIN { a = speculation(); discard(a); b = speculation(); printf("%d %d\n", a, b); exit(0); }'
# A clause may discard its own record.
shows '1/' 'BEGIN { s = speculation(); speculate(s); printf("no"); discard(s); } BEGIN { commit(s); }
	BEGIN { printf("%d\n", speculation()); exit(0); }'
# In branches, predicates, ERROR and END; committed when tracing is at its end.
shows 'now spec ' 'BEGIN { s = speculation(); } BEGIN { if (s) { speculate(s); printf("spec "); } else printf("not"); }
	BEGIN { if (!s) { speculate(s); printf("not"); } else printf("now "); } BEGIN { if (s) commit(s); else discard(s); } BEGIN { exit(0); }'
shows 'got 1 again 1/' 'BEGIN /s = speculation()/ { printf("got %d ", s); discard(s); }
	BEGIN /speculation() == s/ { printf("again %d\n", s); exit(0); }'
shows 'in ERROR in END ' 'BEGIN { s = speculation(); } BEGIN { exit(0); } END { x = *(int *)0; } ERROR { speculate(s); printf("in ERROR "); }
	END { commit(s); } END { s = speculation(); speculate(s); printf("in END "); } END { commit(s); }'
shows '' 'BEGIN { s = speculation(); speculate(s); printf("no"); } BEGIN { exit(0); }'
# A fault discards the record of its clause and no other, and is reported at once.
shows 'fault 1 mid kept ' 'BEGIN { s = speculation(); speculate(s); printf("kept "); } BEGIN { speculate(s); printf("no"); trace(*(int *)0); }
	BEGIN { printf("mid "); } BEGIN { commit(s); } BEGIN { exit(0); } ERROR { printf("fault %d ", arg4); }'
# Actions of the consumer are carried out at the commit.
shows 'before 1 was 1 is 0 4 after 0 ' 'BEGIN { @n = count(); s = speculation(); } BEGIN { speculate(s); printa("was %@d ", @n); clear(@n); printa("is %@d ", @n); }
	BEGIN { speculate(s); normalize(@n, 2); denormalize(@n); setopt("stackindent", "0"); printf("%d ", 4); }
	BEGIN { printa("before %@d ", @n); } BEGIN { commit(s); } BEGIN { printa("after %@d ", @n); exit(0); }'
shows '1 ' 'BEGIN { @n = count(); s = speculation(); } BEGIN { speculate(s); trunc(@n); clear(@n); printa("%@d", @n); } BEGIN { discard(s); }
	BEGIN { printa("%@d ", @n); exit(0); }'
for options in '-x temporal=no' '-x bufpolicy=ring' '-x bufpolicy=fill'; do
	# shellcheck disable=SC2086 # options
	shows 'one two three ' 'BEGIN { s = speculation(); speculate(s); printf("two "); } BEGIN { printf("one "); } BEGIN { commit(s); }
		BEGIN { printf("three "); exit(0); }' $options
done
# Ids that were never given out are faults of commit() and discard(); 0, and those that have ended, are not.
shows '12 12 12 12 12 12 ' 'BEGIN { commit(0); } BEGIN { commit(1); } BEGIN { commit(2); } BEGIN { commit(-1); } BEGIN { discard(0); }
	BEGIN { discard(1); } BEGIN { discard(2); } BEGIN { discard(1ull << 32 | 1); } BEGIN { exit(0); } ERROR { printf("%d ", arg4); }'

# Lines of the default mode: those of the probes that left the records, when they are committed.
lines() {
	"$DTRACE" -n "$1" 2>err | sed -E 's/^ [ 0-9][0-9]( {6}[12] )/  C\1/; s/ *$//' >got
	diff wanted got || fail "$1"
}
cat >wanted <<'T'
CPU     ID                    FUNCTION:NAME
  C      1                           :BEGIN
  C      2                             :END   end
  C      1                           :BEGIN   spec
  C      1                           :BEGIN

T
lines 'BEGIN { s = speculation(); speculate(s); trace("spec"); } BEGIN { speculate(s); } BEGIN { speculate(s); trace(1); x = *(int *)0; }
	BEGIN { discard(2 - 2); } END { trace("end"); } END { commit(s); x = 2; } END { discard(s); } BEGIN { exit(0); }'
