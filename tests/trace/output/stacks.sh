# What: stacks and symbols as statements, as arguments of printf() and as keys: indents, padding, frames, addresses without names.
. "$LIB"
traced() {
	must_trace "$@" -c 'cat /dev/null'
}
look='syscall::read:entry /pid == $target/'
frame='[a-zA-Z0-9_.-]*`[A-Za-z0-9_.]*\(+0x[0-9a-f]*\)\{0,1\}'

traced -n "$look { stack(2); exit(0); }"
same "$(sed -n 1p out)" "" "the first line"
same "$(grep -c "^ \{14\}vmlinux\`.*+0x" out)" 2 "frames with the usual indent"
traced -x stackframes=2 -x ustackframes=1 -x jstackframes=1 -n "$look { stack(); ustack(); jstack(); printf(\"%k\", stack(1)); exit(0); }"
same "$(grep -c "^ \{14\}vmlinux\`" out) $(grep -c "^ \{14\}libc" out) $(grep -c '^vmlinux`' out)" "2 2 1" "frames by option, and without indent in printf()"
traced -x stackindent=4 -n "$look { stack(2); ustack(1); @[stack(2)] = count(); @u[ustack(1), pid != 0] = count(); exit(0); }"
same "$(grep -c "^ \{4\}$frame\$" out)" 6 "frames with an indent of 4"
same "$(tail -n 2 out | tr -s ' ')" "$(printf ' libc%s\n 1 1' "$(sed -n 's/^ *libc//p' out | tail -n 1)")" "what stands behind a key"
traced -n "$look { printf(\"<%k|\\n%-5k|\\n%70k>\\n\", stack(2), stack(2), stack(2)); exit(0); }"
same "$(sed -n '1p; 4p; 5p; 8p' out | tr '\n' '/')" "</|//|/" "around the frames"
same "$(sed -n '2,3p' out | grep -c "^$frame\$")" 2 "frames without indent"
same "$(sed -n '6,7p' out | grep -c "^ \{5\}$frame\$")" 2 "frames with the width as indent"
same "$(sed -n '10,11p' out | awk 'length == 70 { n++ } END { print n }')" 2 "frames that are padded"
traced -x noresolve -n "$look { ustack(1); exit(0); }"
contains '^ \{14\}libc[^`]*:0x[0-9a-f]*$'

must_trace -n 'BEGIN { sym(5); func(6); mod(7); usym(8); ufunc(9); umod(10); uaddr(11); exit(0); }'
same "$(head -n 1 out)" "$(printf '  %-50s' 0x5 0x6 0x7 0x8 0x9 0xa 0xb)" "addresses of nothing"
must_trace -n 'BEGIN { this->a = (uintptr_t)&`vfs_read; sym(this->a); func(this->a + 3); mod(this->a);
	printf("|%a|%a|%a|%a|%20a|\n", this->a, this->a + 3, sym(this->a + 3), mod(this->a), 5);
	@s[sym(this->a + 3), mod(this->a)] = count(); @s[func(this->a), mod(this->a + 9)] = count(); exit(0); }'
same "$(head -n 1 out)" "$(printf '  %-50s' 'vmlinux`vfs_read' 'vmlinux`vfs_read' vmlinux)|vmlinux\`vfs_read|vmlinux\`vfs_read+0x3|vmlinux\`vfs_read+0x3|vmlinux|                 0x5|" "a function of the kernel"
same "$(tail -n 1 out)" "$(printf '  %-50s  %-50s %16d' 'vmlinux`vfs_read' vmlinux 2)" "keys that became equal"
