# What: each operation that truncates at strsize counts once, one whose string just fits does not, at any strsize. Needs: uprobe btf.
# Executors: kernel (its probes are of system calls).
. "$LIB"
cuts() { # the number told; all messages are that one line, in the plural or not
	sed -n 's/^dtrace: \([0-9]*\) strings\{0,1\} truncated to strsize ([0-9]* bytes.*)\(: -x strsize=N allows longer ones\)\{0,1\}$/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }'
}
# counts N OPTIONS TEXT COMMAND - a program truncates N strings in all, and its exit status stays 0
counts() {
	# shellcheck disable=SC2086 # options
	trace $2 -n "$3" -c "$4"
	same "$status" 0 "status of $2 $3"
	same "$(cuts)" "$1" "cuts of $2 $3"
	same "$(grep -vc 'truncated to strsize' err)" 0 "other messages of $2 $3"
}
text() { # LENGTH
	printf "%0$1d" 0
}
for size in 256 4096 65536; do
	o="-x strsize=$size" more="$TRIGGERS/texts $((size - 1)) $size $((size + 1)) $((2 * size))"
	one="$TRIGGERS/texts $size" probe='pid$target::take:entry'
	# From the process and from the kernel's memory: two of the four texts are longer than a string.
	counts 2 "$o" "$probe { trace(strlen(copyinstr(arg0))); }" "$more"
	counts 2 "$o" "$probe { @[copyinstr(arg0)] = count(); }" "$more"
	counts 2 "$o" "$probe /copyinstr(arg0) != \"\"/ { n++; }" "$more"
	counts 2 "$o -x scratchsize=200k" "$probe { x = stringof((char *)copyin(arg0, arg1 + 1)); }" "$more"
	# Strings that were requested in this length, or not longer than their array, are complete; N bytes beyond strsize are not.
	counts 0 "$o" "$probe { trace(copyinstr(arg0, 7)); trace(copyinstr(arg0, $size)); }" "$more"
	counts 2 "$o" "$probe { trace(copyinstr(arg0, $((size + 1)))); }" "$more"
	[ $size = 65536 ] ||
		counts 0 "$o" "struct t { string a; string b; }; struct t t; $probe {
			t.b = \"b\"; t.a = copyinstr(arg0); x = t.a; }" "$one"
	# Joined texts.
	counts 0 "$o" "$probe { x = strjoin(copyinstr(arg0), \"\"); y = strjoin(\"\", x); }" "$one"
	counts 2 "$o" "$probe { x = strjoin(copyinstr(arg0), \"1\"); y = strjoin(\"2\", x); }" "$one"
	# Operations that only pass on their input count nothing.
	counts 0 "$o" "$probe { s = copyinstr(arg0); self->s = s; a[s] = s; this->s = self->s; x = toupper(s);
		x = tolower(s); x = substr(s, 0); x = strchr(s, 'x'); }
		$probe { x = strrchr(s, 'x'); x = strstr(s, \"x\"); x = strtok(s, \"|\"); x = basename(s);
		x = dirname(s); x = cleanpath(s); x = json(s, \"x\"); }
		$probe { printf(\"%s\", a[s]); @[this->s] = count(); }" "$one"
	# The arguments of the process, with blanks between.
	rest=$((size - ${#TRIGGERS} - 7)) # beside ".../texts "
	counts 0 "$o" "$probe { trace(execargs); }" "$TRIGGERS/texts $(text $rest)"
	counts 1 "$o" "$probe { trace(execargs); }" "$TRIGGERS/texts $(text $((rest + 1)))"
	counts 2 "$o" "$probe { trace(execargs); }" "$TRIGGERS/texts $(text $rest) 1" # two calls
	# Names of files.
	counts 2 "$o" 'syscall::close:entry /pid == $target && arg0 == 100/ {
		trace(strlen(d_path(&curthread->files->fdt->fd[arg0]->f_path))); }' "$more"
	same "$(counted files)" 4 "files"
	rm -r ddd* counts
done

# Constants: in expressions, keys, printf() and print(); names.  All of a clause's count, once each.
for size in 4 16 100 256; do
	fits=$(text $size) longer=$(text $((size + 1)))
	for n in 0 1; do
		[ $n = 0 ] && s=$fits || s=$longer
		counts $n "-x strsize=$size" "BEGIN { x = \"$s\"; exit(0); }" true
		counts $n "-x strsize=$size" "BEGIN { printf(\"%s\", \"$s\"); exit(0); }" true
		counts $n "-x strsize=$size" "BEGIN { trace(\"$s\"); exit(0); }" true
		counts $n "-x strsize=$size" "BEGIN { @[\"$s\"] = count(); exit(0); }" true
		counts $n "-x strsize=$size" "BEGIN { a[\"$s\", 1] = 1; exit(0); }" true
		counts $n "-x strsize=$size" "BEGIN { self->x = strlen(\"$s\"); exit(0); }" true
		counts $((2 * n)) "-x strsize=$size" "BEGIN { x = \"$s\"; y = \"$s\"; exit(0); }" true
	done
done
counts 0 "-x strsize=6" 'BEGIN { trace(execname); x = execname; @[execname] = count(); exit(0); }' true
counts 3 "-x strsize=5" 'BEGIN { trace(execname); x = execname; @[execname] = count(); exit(0); }' true
counts 0 "-x strsize=5" 'BEGIN { x = probename; trace(probename); exit(0); }' true
counts 2 "-x strsize=4" 'BEGIN { x = probename; trace(probename); exit(0); }' true
counts 0 "-x strsize=6" 'BEGIN { printf("%s %s", probeprov, probename); @[probename] = count(); exit(0); }' true
counts 3 "-x strsize=4" 'BEGIN { printf("%s %s", probeprov, probename); @[probename] = count(); exit(0); }' true
counts 1 "-x strsize=4" 'BEGIN { @[probename, probefunc] = count(); printa("%s %s %@d\n", @); exit(0); }' true
must_trace -x oformat=json -x strsize=4 -n 'BEGIN { printf("%s %s", probeprov, probename); @[probename] = count(); exit(0); }'
contains '"DTRACEDROP_STRSIZE","count":3,' out
# Numbers and addresses as texts.
counts 0 "-x strsize=6" 'BEGIN { trace(lltostr(123456)); trace(lltostr(15, 2)); exit(0); }' true
counts 2 "-x strsize=6" 'BEGIN { trace(lltostr(1234567)); trace(lltostr(128, 2)); exit(0); }' true
for size in 7 6; do
	counts $((7 - size)) "-x strsize=$size" 'BEGIN { this->p = (ipaddr_t *)alloca(4); *this->p = 0x01010101; trace(inet_ntoa(this->p)); exit(0); }' true
	counts $((7 - size)) "-x strsize=$size" 'BEGIN { this->p = (ipaddr_t *)alloca(4); *this->p = 0x01010101; trace(inet_ntop(2, this->p)); exit(0); }' true
done
for size in 17 16; do
	counts $((17 - size)) "-x strsize=$size" 'BEGIN { this->p = (unsigned char *)alloca(6); trace(link_ntop(1, this->p)); exit(0); }' true
done
true
