# What: progenyof() is true for an ancestor three hundred processes above, and false for other processes.
. "$LIB"
cat >deep.sh <<'END'
dive() {
	if [ "$1" -gt 0 ]; then
		(dive $(($1 - 1)); :)
	else
		cat /dev/null
	fi
}
dive 300
END
must_trace -qn 'syscall::execve:return /execname == "cat" && progenyof($target)/ { printf("%d %d\n", ppid != $target, progenyof(2)); exit(0); }' \
	-c 'sh deep.sh'
same "$(cat out)" "1 0" "the ancestor is found, kthreadd is none"
