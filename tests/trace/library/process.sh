# What: curpsinfo, curlwpsinfo, cwd, root and fds[] say what /proc says.  Needs: btf x86_64.
. "$LIB"
cat >child <<'CHILD'
exec 7</etc/passwd 8>>appended 9</proc/self/stat
cd here
cat /proc/$$/stat >../stat
cat /proc/$$/status >../status
tr '\0' ' ' </proc/$$/cmdline >../cmdline
tr '\0' '\n' </proc/$$/environ >../environ
readlink /proc/$$/cwd >../cwd
cd /
CHILD
mkdir here
cat >it.d <<'D'
syscall::chdir:entry
/pid == $target && ++n == 2/
{
	printf("pid %d\nppid %d\npgid %d\nsid %d\n", curpsinfo->pr_pid, curpsinfo->pr_ppid,
	    curpsinfo->pr_pgid, curpsinfo->pr_sid);
	printf("uid %d\neuid %d\ngid %d\negid %d\n", curpsinfo->pr_uid, curpsinfo->pr_euid,
	    curpsinfo->pr_gid, curpsinfo->pr_egid);
	printf("threads %d\nsize %d\nrss %d\n", curpsinfo->pr_nlwp, curpsinfo->pr_size,
	    curpsinfo->pr_rssize);
	printf("share %d\n", curpsinfo->pr_pctmem ==
	    curpsinfo->pr_rssize * 1024 * 0x8000 / (`physmem * `_pagesize));
	printf("start %d\nsame %d\n", curpsinfo->pr_start.tv_sec,
	    curpsinfo->pr_start.tv_nsec == curlwpsinfo->pr_start.tv_nsec);
	printf("fname %s\nargc %d\nmodel %d\n", curpsinfo->pr_fname, curpsinfo->pr_argc,
	    curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("args %s\nargv %s\n", curpsinfo->pr_psargs, copyinstr(curpsinfo->pr_argv));
	printf("lwpid %d\nnice %d\npri %d\nletter %c\nstate %d\n", curlwpsinfo->pr_lwpid,
	    curlwpsinfo->pr_nice, curlwpsinfo->pr_pri, curlwpsinfo->pr_sname,
	    curlwpsinfo->pr_state == SONPROC);
	printf("class %s\ncpu %d\nbound %d\nsyscall %d\n", curlwpsinfo->pr_clname,
	    curlwpsinfo->pr_onpro == cpu && curcpu->cpu_id == cpu, curlwpsinfo->pr_bindpro,
	    curlwpsinfo->pr_syscall);
	printf("nested %d\n", curpsinfo->pr_lwp.pr_lwpid);
	printf("addr %d %d\n", curpsinfo->pr_addr == (uintptr_t)curthread, curlwpsinfo->pr_addr ==
	    (uintptr_t)curthread);
	printf("zeros %d %d %d %d %d %d %d\n", curpsinfo->pr_taskid, curpsinfo->pr_projid,
	    curpsinfo->pr_poolid, curpsinfo->pr_zoneid, curpsinfo->pr_contract,
	    curpsinfo->pr_nzomb, curpsinfo->pr_wstat);
	printf("no tty %d\n", curpsinfo->pr_ttydev == (struct tty_struct *)-1);
	printf("env %s\n", copyinstr(curpsinfo->pr_envp));
	printf("cwd %s\nroot %s\n", cwd, root);
	printf("file %s %s %s %d\n", fds[7].fi_name, fds[7].fi_dirname, fds[7].fi_pathname,
	    fds[7].fi_oflags & O_ACCMODE);
	printf("appended %s %d\n", fds[8].fi_name,
	    (fds[8].fi_oflags & (O_ACCMODE | O_APPEND)) == (O_WRONLY | O_APPEND));
	printf("closed %s %s %d\n", fds[99].fi_name, fds[-1].fi_pathname, fds[1000000].fi_oflags);
	printf("fs %s %s %s\n", fds[7].fi_fs, fds[7].fi_mount, fds[9].fi_mount);
	file = fds[7];
	printf("whole %s %s\n", file.fi_name, file.fi_pathname);
	this->all = *curpsinfo;
	printf("copy %s %d %d %d\n", this->all.pr_fname, this->all.pr_pid, this->all.pr_argc,
	    this->all.pr_lwp.pr_nice);
	printf("copied args %s\n", this->all.pr_psargs);
	printf("chip %d\nnode %d\nset %d\n", chip, lgrp, pset);
	exit(0);
}
D
must_trace -s it.d -c 'nice -n 5 sh child one two'

# stat N - the N-th field of /proc/PID/stat
stat() {
	sed 's/.*) /x x /' stat | cut -d' ' -f"$1"
}
# status NAME N - field N of a line of /proc/PID/status
status() {
	awk -v name="$1:" -v n="$2" '$1 == name { print $n }' status
}
is() {
	same "$(sed -n "s/^$1 //p" out)" "$2" "$1"
}
is pid "$(status Pid 2)"
is ppid "$(status PPid 2)"
is pgid "$(stat 5)"
is sid "$(stat 6)"
is uid "$(status Uid 2)"
is euid "$(status Uid 3)"
is gid "$(status Gid 2)"
is egid "$(status Gid 3)"
is threads "$(status Threads 2)"
is size "$(status VmSize 2)"
rss=$(value_of rss) shown=$(status VmRSS 2)
[ "$rss" -gt 0 ] && [ $((rss - shown)) -lt 1024 ] && [ $((shown - rss)) -lt 1024 ] ||
	fail "resident $rss KB, /proc says $shown"
# From the epoch; /proc counts hundredths since boot, and the second of boot is rounded.
late=$(($(value_of start) - $(awk '$1 == "btime" { print $2 }' /proc/stat) - $(stat 22) / 100))
[ "$late" -ge -1 ] && [ "$late" -le 2 ] || fail "started $late s later than /proc says"
is same 1
is fname sh
is argc 4
is args 'sh child one two'
is argv sh
is model 1
is lwpid "$(status Pid 2)"
is nice "$(stat 19)"
is pri "$(($(stat 18) + 100))"
is letter O
is state 1
is class TS
is cpu 1
cpus=$(status Cpus_allowed_list 2)
case $cpus in
*[!0-9]*) is bound -1 ;;
*) is bound "$cpus" ;;
esac
is syscall 80
is nested "$(status Pid 2)"
is addr '1 1'
is zeros '0 0 0 0 0 0 0'
is 'no tty' "$([ "$(stat 7)" -eq 0 ] && echo 1 || echo 0)"
is env "$(head -n 1 environ)"
is cwd "$(cat cwd)"
is root /
is file 'passwd /etc /etc/passwd 0'
is appended 'appended 1'
is closed '<none> <none> 0'
is fs "$(awk '$2 == "/" { type = $3 } END { print type }' /proc/mounts) / /proc"
is whole 'passwd /etc/passwd'
is copy "sh $(status Pid 2) 4 $(stat 19)"
is 'copied args' 'sh child one two'
is share 1
is chip "$(cat /sys/devices/system/cpu/cpu0/topology/physical_package_id)"
is set 0
