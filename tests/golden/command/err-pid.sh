# What: descriptions of pid that match nothing: the tag of each reason.
tag() {
	printf '%s: ' "$*"
	"$DTRACE" -e -x errtags "$@" 2>&1 | grep -o '\[D_[A-Z_]*\]' || echo none
}
tag -n 'pid$target:libc.so.6:no_such_function:entry' -c true
tag -n 'pid$target:libc.so.6:malloc:middle' -c true
tag -n 'pid$target:a.out:main.c@12:entry' -c true
tag -n 'pid$target:libc.so.6:malloc:ffffff' -c true
tag -n 'pid$target:libc.so.6:malloc:1' -c true
tag -x pidret=insn -n 'pid$target:libc.so.6:abort:return' -c true
tag -n 'pid0:::entry'
tag -n 'pid99999999999:::entry'
tag -n 'pid4194304:::entry'
tag -n 'pid$target:libc.so.6:malloc:entry' -c true
