# What: fields of a record are typed: numbers, strings in place and elsewhere in the record, arrays; each event is seen once.  Needs: btf
. "$LIB"
cat >rename.sh <<'END'
i=0
while [ $i -lt 57 ]; do
	printf %s "name$i" >/proc/$$/comm
	i=$((i + 1))
done
exec /bin/true
END
must_trace -n 'sdt:task::task_rename /pid == $target && args.pid == pid/ { @n = count(); }
	sdt:task::task_rename /pid == $target && args.newcomm == "name56"/ { printf("%s %s %d\n", args.oldcomm, args[2], arg3); }
	sdt:task::task_rename /pid == $target && args.oldcomm == args.newcomm/ { printf("no change\n"); }
	sdt:sched::sched_process_exec /pid == $target/ { printf("exec %s %d\n", args.filename, args.pid == pid); }
	sdt:raw_syscalls::sys_enter /pid == $target && args.args[0] == 1 && args.args[2] == 6/ { @w = count(); }
	END { printa("%@d renames\n", @n); printa("%@d writes\n", @w); }' \
	-c "/bin/sh rename.sh"
contains '^name55 name56 0$'
contains '^exec /bin/true 1$'
contains '^58 renames$' # the exec is one
contains '^47 writes$'  # "name10" ... "name56"
grep -q 'no change' out && fail "oldcomm is newcomm"
exit 0
