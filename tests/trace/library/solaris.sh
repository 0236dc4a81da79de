# What: names of Solaris's kernel, and some of FreeBSD's, mean their counterparts on Linux: members of threads, processes and CPUs, symbols. Needs: btf.
. "$LIB"
# all_true EXPRESSION... - in one program
all_true() {
	list=
	for e in "$@"; do
		list="$list printf(\"%d\", $e);"
	done
	must_trace -x strsize=4k -n "BEGIN { $list exit(0); }"
	same "$(cat out)" "$(printf '1%.0s' "$@")" "$*"
}
all_true 'curthread->t_procp->p_pidp->pid_id == pid' 'curthread->t_procp->p_ppid == ppid' 'curthread->t_tid == tid' \
	'curthread->t_procp->p_parent->p_pidp->pid_id == ppid' 'curthread->t_procp->p_user.u_comm == execname' \
	'curthread->t_procp->p_user.u_psargs == curpsinfo->pr_psargs' 'curthread->t_procp->p_as->a_size == curpsinfo->pr_size * 1024' 'curthread->t_procp->p_zone->zone_name == zonename' \
	'curthread->t_procp->p_user.u_start.tv_sec == curpsinfo->pr_start.tv_sec' 'curthread->t_state == TS_ONPROC' \
	'curthread->t_cred->cr_uid == uid' 'curthread->t_cpu->cpu_id == cpu' 'curthread->t_cpu->cpu_thread == curthread' \
	'curthread->t_cpu->cpu_disp->disp_nrunnable >= 0' 'curcpu->cpu_info.pi_state == P_ONLINE' 'curcpu->cpu_info.pi_processor_type != ""' 'curcpu->cpu_info.pi_fputypes == ""' \
	'curthread->t_did == tid' 'curthread->t_procp->p_user.u_cdir->v_path == cwd' 'curthread->t_procp->p_user.u_rdir->v_path == root' \
	'curthread->t_procp->p_user.u_finfo.fi_list[0].uf_file == getf(0)' 'curthread->t_procp->p_user.u_finfo.fi_nfiles >= 64' \
	'curthread->t_procp->p_user.u_finfo.fi_list[0].uf_file->f_vnode->v_path == fds[0].fi_pathname' \
	'timestamp - curthread->t_procp->p_mstart < 60000000000' 'getf(0)->f_vnode->v_path == fds[0].fi_pathname'
# FreeBSD's.
all_true 'curthread->td_proc->p_pid == pid' 'curproc->p_comm == execname' 'curthread->td_tid == tid' 'curthread->td_name == execname' \
	'curproc->p_pptr->p_pid == ppid' 'curthread->td_ucred->cr_uid == uid' 'curproc->p_ucred->cr_ruid == uid'
must_trace -n 'BEGIN { printf("%s\n", curthread->t_procp->p_exec->v_path); exit(0); }'
same "$(sed 1q out)" "$(readlink -f "$DTRACE")" "the program's file"
# Kept, cast, called with a side effect.
must_trace -n 'BEGIN { this->p = curthread->t_procp; printf("%d ", ((proc_t *)this->p)->p_pidp->pid_id == pid); q = curthread;
	printf("%d %d\n", (q++)->t_tid == tid, q - curthread); exit(0); }'
same "$(cat out)" "1 1 1" "values that are kept"
# Symbols.
must_trace -n 'BEGIN { printf("%s|%s|%s|%d|%d|%d\n", `utsname.sysname, unix`utsname.nodename, `utsname.release, `ncpus_online, `_pagesize, `physmem); exit(0); }'
same "$(sed 1q out)" "$(uname -s)|$(uname -n)|$(uname -r)|$(getconf _NPROCESSORS_ONLN)|$(getconf PAGESIZE)|$(getconf _PHYS_PAGES)" symbols
now=$(date +%s)
must_trace -n 'BEGIN { printf("%d %d %d %d\n", `time, `hrestime.tv_sec, `lbolt - timestamp / 10000000, `mpid >= pid); exit(0); }'
read -r time hrestime ticks mpid <out
[ "$time" -ge "$now" ] && [ "$hrestime" -ge "$now" ] && [ "$time" -le $((now + 60)) ] || fail "times, at $now"
same "$ticks $mpid" "0 1" "ticks and the last number"
must_trace -n 'BEGIN { printf("%d %d\n", `physinstalled, `nswapped); exit(0); }'
same "$(sed 1q out)" "$(getconf _PHYS_PAGES) 0" "memory"
# From the kernel's variables, or from the consumer where they are not listed; then without privileges, too.
for executor in kernel interpreter; do
	[ $executor = interpreter ] && grep -q ' [bBdD] avenrun$' /proc/kallsyms && continue
	must_trace -x executor=$executor -n 'BEGIN { printf("%d.%02d %d.%02d %d\n", `hp_avenrun[0] / 65536, `hp_avenrun[0] % 65536 * 100 / 65536,
		`avenrun[1] / 256, genunix`avenrun[1] % 256 * 100 / 256, `freemem); exit(0); }'
	read -r load load5 free <out
	awk -v load="$load" -v load5="$load5" -v free="$free" -v pages="$(getconf _PHYS_PAGES)" \
		'{ exit !(load > $1 - 0.5 && load < $1 + 0.5 && load5 > $2 - 0.5 && load5 < $2 + 0.5 && free > 0 && free < pages) }' \
		/proc/loadavg || fail "$executor: loads $load, $load5, free $free"
done
# They go on: a process takes 64 MB, and the free pages are fewer.
cat > memory.d <<'D'
BEGIN { first = `freemem; }
tick-200ms /first - `freemem > 8192/ { less = 1; exit(0); }
tick-20s { exit(0); }
END { printf("%d\n", less); }
D
must_trace -s memory.d -c "python3 -c 'import time; b = bytearray(b\"x\") * (64 << 20); time.sleep(60)'"
contains '^1$'
"$DTRACE" -x knodefs -en 'BEGIN { trace(`hp_avenrun[0]); trace(`freemem); }' 2>err || fail "they do not compile"
# A program's own names come first; a wrong name is one.
must_trace -n 'BEGIN { freemem = 3; hz = 5; printf("%d\n", freemem + hz); exit(0); }'
same "$(cat out)" 8 "a program's own variables"
trace -n 'BEGIN { trace(ncpus_online); }'
contains "it is \`ncpus_online" err
trace -n 'BEGIN { trace(curthread->t_nothing); }'
contains 'struct task_struct has no member t_nothing' err
exit 0
