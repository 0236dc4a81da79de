# What: functions of assembly without a type are found where their unwind table begins; labels in functions and data are not: the
# message says what they are.  Needs: uprobe cc x86_64.  Executors: kernel (a return has no place for a jump).
. "$LIB"
[ "$(uname -m)" = x86_64 ] || skip "assembly of x86_64"
cat >a.s <<'S'
	.text
	.globl leaf, outer, typed, bare
leaf:
	.cfi_startproc
	lea 1(%rdi), %rax
inner:
	nop
	ret
	.cfi_endproc
outer:
	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call leaf
	mov %rax, %rdi
	pop %rbx
	.cfi_adjust_cfa_offset -8
	jmp tailed
	.cfi_endproc
tailed:
	.cfi_startproc
	lea 100(%rdi), %rax
	ret
	.cfi_endproc
	.type typed, @function
typed:
typed_too:
	.cfi_startproc
	mov $7, %eax
	ret
	.cfi_endproc
bare:
	mov $3, %eax
	ret
	.section .note.GNU-stack,"",@progbits
S
cat >m.c <<'C'
long outer(long), typed(void), bare(void);
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 10; i++)
		sum += outer(i) + typed() + bare();
	return sum == 10 * 111 + 45 ? 0 : 1;
}
C
gcc -o m m.c a.s || fail "cannot compile"
must_trace -n 'pid$target:a.out:leaf:entry, pid$target:a.out:outer:entry, pid$target:a.out:tailed:entry, pid$target:a.out:typed_too:entry
	{ @e[probefunc] = count(); } pid$target:a.out:leaf:return, pid$target:a.out:outer:return, pid$target:a.out:typed:return { @r[probefunc] = sum(arg1); }
	END { printa("%s %@d\n", @e); printa("%s returned %@d\n", @r); }' -c ./m
same "$(sed "/^$/d" out | sort | tr '\n' ' ')" "leaf 10 leaf returned 55 outer 10 outer returned 1055 tailed 10 typed 10 typed returned 70 " "functions"
# A place after a label has the function's name.
must_trace -n 'pid$target:a.out:leaf:5 /!n++/ { ustack(2); }' -c ./m
same "$(sed '/^$/d; s/^ *//' out | tr '\n' ' ')" 'm`leaf+0x5 m`outer+0x6 ' "a stack"
# Patterns mean them, too, but not the labels.
trace -ln 'pid$target:a.out::entry' -c ./m
same "$(awk '$4 ~ /^(leaf|inner|outer|tailed|typed.*|bare)$/ { print $4 }' out | sort | tr '\n' ' ')" "leaf outer tailed typed " "listed"
trace -n 'pid$target:a.out:inner:entry { }' -c ./m
same "$status" 1 "status of a label"
contains "'inner' in module 'a.out': it is a place in leaf, whose probe is leaf:4$" err
trace -n 'pid$target::bare:entry { }' -c ./m
contains 'its symbol has no type, and no unwind table says that a function begins there (in assembly: .type bare, @function)$' err
exit 0
