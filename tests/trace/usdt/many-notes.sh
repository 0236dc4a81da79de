# What: a file with as many notes as we read is searched in time that grows with their number, also if all are at nops of 5 bytes in one function.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
# N sites of one probe, half of them with operands of their own, at symbols.  notes.h is in FOLDER.
make_program() { # N FOLDER
	cat >many.c <<C
#include "notes.h"
#ifdef __x86_64__
#define CALL "call main"
#else
#define CALL "bl main"
#endif
int main(void) { return 0; }
__asm__(".bss\nwords: .skip 8\n.text\nmany: " CALL "\n.set n, 0\n.altmacro\n"
	".macro site k\n" NOTE("manynotes", "probe", "0", "8@\\\\k(%rdi) 4@words+\\\\k(%rip)") ".endm\n"
	".rept $1\nsite %n\n.set n, n + 1\n.endr\nret\n.size many, . - many\n.type many, @function\n");
C
	gcc -w -I "$2" -o "many$1" many.c || fail "cannot compile"
}
# Sets $took: the processor time of one run, in hundredths of a second.
children_time() { awk '{ print $16 + $17 }' /proc/$$/stat; }
run() {
	before=$(children_time)
	must_trace -ln 'manynotes$target:::' -c "./many$1"
	contains 'manynotes[0-9]* *many'
	took=$(($(children_time) - before))
}
compare() { # FOLDER
	make_program 4096 "$1"
	make_program 65536 "$1"
	run 4096
	few=$took
	run 65536
	# Sixteen times as many; were each compared with each, the time would be 256 times as long.
	[ "$took" -le $(((few + 3) * 64)) ] || fail "$1: 4096 notes took $few/100 s, 65536 took $took/100 s"
}
headers=$checkout/tests/trace/triggers
compare "$headers"
[ "$(uname -m)" = x86_64 ] || exit 0
mkdir five
sed 's/980: nop/980: .byte 0x0f, 0x1f, 0x44, 0, 0/' "$headers/notes.h" >five/notes.h
compare five
exit 0
