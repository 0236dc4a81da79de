/* What: sizes of the built-in variables; times, ids and names of BEGIN; NULL; closed files. */
BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof(arg0), sizeof(cpu), sizeof(epid), sizeof(id), sizeof(ipl), sizeof(errno));
	printf("%d %d %d %d %d\n", sizeof(caller), sizeof(chip), sizeof(curthread), sizeof(execname), sizeof(gid));
	printf("%d %d %d %d %d %d\n", sizeof(lgrp), sizeof(pid), sizeof(pset), sizeof(uregs[0]), sizeof(stackdepth), sizeof(tid));
	printf("%d %d %d %d %d %d\n", sizeof(ucaller), sizeof(vtimestamp), sizeof(walltimestamp), sizeof(timestamp), sizeof(NULL), sizeof(cwd));
	printf("%d %d %d %d %d\n", arg0, arg9, chip >= 0, cpu == curcpu->cpu_id, chip == curcpu->cpu_chip);
	printf("%d %d %d %s\n", lgrp == curcpu->cpu_lgrp, pset, curcpu->cpu_pset, root);
	printf("%s|%s|%s|%s %d\n", fds[99].fi_name, fds[99].fi_dirname, fds[99].fi_pathname, fds[99].fi_mount, fds[99].fi_offset);
	printf("%s:%s:%s:%s %d %d %d\n", probeprov, probemod, probefunc, probename, epid, id, ipl);
	printf("%s %s %s\n", execname, threadname, zonename);
	self->t = timestamp; self->w = walltimestamp; self->v = vtimestamp;
}
BEGIN
{
	printf("%d ", epid);
	this->t = timestamp; this->u = timestamp; /* one time for a clause */
	printf("%d %d %d %d\n", this->t == this->u, this->t > self->t, walltimestamp >= self->w, vtimestamp >= self->v);
	this->x = walltimestamp; this->y = walltimestamp - timestamp;
	printf("%d %d\n", walltimestamp - this->x, walltimestamp - timestamp == this->y);
	printf("%d %d %d\n", curlwpsinfo->pr_lwpid == tid, curpsinfo->pr_pid == pid, curthread->pid == tid);
	printf("%d %d\n", pid == $pid, ppid == $ppid);
	this->p = (int *)0; printf("%d\n", this->p == NULL);
	exit(0);
}
