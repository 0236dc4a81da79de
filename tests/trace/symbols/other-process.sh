# What: addresses of a process are named by its own program, though another had its number, or it executed another, before.
. "$LIB"
cp "$TRIGGERS/reborn" first && cp "$TRIGGERS/reborn" second || fail "cannot copy the trigger"
for way in then again; do
	trace -x childstatus -n 'syscall::getppid:entry /execname == "first" || execname == "second"/ { printf("%s %d", execname, pid); ustack(3); }' \
		-c "$TRIGGERS/reborn $way ./first ./second"
	[ "$status" -eq 1 ] && [ "$way" = again ] && skip "no process can be given a number here (clone3 with set_tid)"
	same "$status" 0 "status of $way"
	same "$(sed -n 's/^\(first\|second\) .*/\1/p' out | tr '\n' ' ')" "first second " "who called, $way"
	same "$(sed -n 's/^first //p' out)" "$(sed -n 's/^second //p' out)" "their numbers, $way"
	same "$(sed -n 's/^ *\(.*\)`main.*/\1/p' out | tr '\n' ' ')" "first second " "whose functions, $way"
done
