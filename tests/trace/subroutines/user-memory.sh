# What: copyin(), copyinto(), copyinstr() up to the last byte of a process's memory, and beyond: constant sizes and computed ones, in predicates, as keys.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
# gives WANTED CLAUSE - of the last four bytes 'x' before absent memory; a fault is reported with its address, of which 0xffc is the first byte's
gives() {
	case $1 in
	fault*) how=must_fault ;;
	*) how=must_trace ;;
	esac
	$how -n "pid\$target::take:entry { self->four = 4; self->five = 5; self->none = 0; self->all = -1; }
		pid\$target::take:entry $2
		ERROR { printf(\"fault %d at %x\", arg4, arg5 & 0xfff); }" -c "$TRIGGERS/pointers endless 1"
	same "$(head -n 1 out)" "$1" "$2"
}
gives xxxx '{ printf("%s", stringof((char *)copyin(arg0, 4))); }'
gives xxxx '{ printf("%s", stringof((char *)copyin(arg0, self->four))); }'
gives "fault 1 at ffc" '{ copyin(arg0, 5); printf("no"); }'
gives "fault 1 at ffc" '{ copyin(arg0, self->five); printf("no"); }'
gives nothing '{ copyin(arg0 + 4, 0); copyin(0, self->none); printf("nothing"); }'
gives "fault 5 at fff" '{ copyin(arg0, self->all); printf("no"); }'
gives xxxx '{ p = (char *)alloca(8); copyinto(arg0, 4, p); printf("%s", stringof(p)); }'
gives xx '{ p = (char *)alloca(8); copyinto(arg0 + 2, self->four - 2, p); printf("%s", stringof(p)); }'
gives "fault 1 at ffc" '{ copyinto(arg0, 5, alloca(8)); printf("no"); }'
gives "fault 1 at ffc" '{ copyinto(arg0, self->five, alloca(8)); printf("no"); }'
gives "fault 10 at fff" '{ copyinto(arg0, self->all, alloca(8)); printf("no"); }'
gives xxxx '{ printf("%s", copyinstr(arg0, 4)); }'
gives xxxx '{ printf("%s", copyinstr(arg0, self->four)); }'
gives x '{ printf("%s", copyinstr(arg0 + 3, 1)); }'
gives "[]" '{ printf("[%s]", copyinstr(arg0, self->none)); }'
for most in "" ", 5" ", self->five" ", -1" ", self->all"; do
	gives "fault 1 at ffc" "{ printf(\"%s\", copyinstr(arg0$most)); }"
done
gives "xxx 4 1" '/copyinstr(arg0, 4) == "xxxx" && strlen(copyinstr(arg0, 2)) == 2/ {
	@[copyinstr(arg0, 3), strlen(copyinstr(arg0, 4))] = count(); printa("%s %d %@d", @); trunc(@); }'
gives "fault 1 at ffc" '/copyinstr(arg0) != ""/ { printf("no"); }'
gives "fault 1 at ffc" '{ @[copyinstr(arg0)] = count(); }'
[ "$EXECUTOR" = process ] && exit
# Memory of the kernel is not memory of the process.
trace -n 'BEGIN { copyin((uintptr_t)curthread, 8); printf("no"); } BEGIN { printf("%s", copyinstr((uintptr_t)curthread)); }
	ERROR { printf("fault %d ", arg4); } BEGIN { exit(0); }'
same "$(head -n 1 out)" "fault 1 fault 1 " "addresses of the kernel"
