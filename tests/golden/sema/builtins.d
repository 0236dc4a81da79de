BEGIN
{
	trace(caller); trace(cpu); trace(epid); trace(errno); trace(execname); trace(gid); trace(id);
	trace(ipl); trace(pid); trace(ppid); trace(probefunc); trace(probemod); trace(probename);
	trace(probeprov); trace(stackdepth); trace(tid); trace(timestamp); trace(ucaller); trace(uid);
	trace(uregs[3]); trace(ustackdepth); trace(vtimestamp); trace(walltimestamp); trace(arg3);
	trace(execargs); trace(threadname); trace(regs[0]); trace(arg0); trace(arg9); trace(NULL);
}
