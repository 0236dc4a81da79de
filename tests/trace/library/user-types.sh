# What: types of C programs that clauses copy in have the layout of the system's headers, and a program's own come first. Needs: btf cc.
. "$LIB"
members='struct timespec:tv_sec tv_nsec
struct timeval:tv_sec tv_usec
struct itimerspec:it_interval it_value
struct itimerval:it_interval it_value
struct utsname:sysname nodename release version machine domainname
struct dirent:d_ino d_off d_reclen d_type d_name
struct dirent64:d_ino d_off d_reclen d_type d_name
struct iovec:iov_base iov_len
struct pollfd:fd events revents'
{
	printf '#define _GNU_SOURCE\n'
	printf '#include <%s.h>\n' stddef stdio time sys/time sys/utsname dirent sys/uio poll netinet/in
	printf 'int main(void)\n{\n'
	echo "$members" | awk -F: '{ n = split($2, m, " "); for (i = 1; i <= n; i++)
		printf "printf(\"%s %s %%zu %%zu\\n\", sizeof (%s), offsetof(%s, %s));\n", $1, m[i], $1, $1, m[i] }'
	for t in u_char u_long socklen_t in_addr_t in_port_t off64_t ino64_t useconds_t suseconds_t; do
		printf 'printf("%s %%zu\\n", sizeof (%s));\n' "$t" "$t"
	done
	printf '}\n'
} >it.c
cc -o it it.c || fail "the headers do not compile"
./it >wanted
{
	printf 'BEGIN {\n'
	awk 'NF == 5 { printf "printf(\"%s %s %s %%d %%d\\n\", sizeof (%s %s), offsetof(%s %s, %s));\n", $1, $2, $3, $1, $2, $1, $2, $3 }
		NF == 2 { printf "printf(\"%s %%d\\n\", sizeof (%s));\n", $1, $1 }' wanted
	printf 'exit(0); }\n'
} >it.d
must_trace -s it.d
sed '/^$/d' out | diff wanted - || fail "a type differs from that of the headers"
[ "$(wc -l <wanted)" -gt 30 ] || fail "few types were compared"

must_trace -n 'BEGIN { printf("%d %d %d\n", sizeof (kmutex_t) == sizeof (struct mutex), sizeof (krwlock_t) == sizeof (struct rw_semaphore),
	getf(0) == (file_t *)getf(0)); exit(0); }' </dev/null
same "$(sed 1q out)" '1 1 1' "types of Solaris's kernel"

# A program's own definitions, and those of the headers that it includes.
printf 'struct timespec { char c[3]; };\nBEGIN { trace(sizeof (struct timespec)); exit(0); }\n' >own.d
must_trace -s own.d
same "$(sed 1q out)" 3 "a program's own struct timespec"
printf '#include <time.h>\nBEGIN { trace(sizeof (struct timespec)); trace(sizeof (struct timeval)); exit(0); }\n' >own.d
must_trace -C -s own.d
same "$(sed 1q out)" 1616 "the header's struct timespec"

# How a signal came, and that a thread sleeps in a system call.
must_trace -n 'proc:::signal-handle /pid == $target/ { printf("%d %d %d\n", args[1]->si_pid == pid, args[1]->si_uid == uid,
	args[1]->si_value.sival_int); }' -c 'sh -c "trap : USR1; kill -USR1 \$\$"'
same "$(sed 1q out)" '1 1 0' "members of siginfo_t"
[ "$(uname -m)" = x86_64 ] || exit 0
must_trace -n 'sched:::sleep /pid == $target/ { @[(curlwpsinfo->pr_flag & PR_ISSYS) != 0, curlwpsinfo->pr_stype == SOBJ_NONE] = count(); }
	END { printa("%d %d\n", @); }' -c 'sleep 0.01'
grep -q '^1 1$' out || fail "a thread that sleeps is not in a system call"
