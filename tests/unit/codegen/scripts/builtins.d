/* What: what one call answers, and what needs more. */
syscall::read:entry { trace(pid); trace(tid); trace(uid); trace(gid); trace(ppid); trace(cpu); }
syscall::read:entry { trace(epid); trace(id); trace(timestamp); trace(walltimestamp); trace(vtimestamp); }
syscall::read:entry { trace(caller); trace(ucaller); trace(stackdepth); trace(ustackdepth); trace(probeprov); }
syscall::read:entry { trace(cgroup); trace(cgroupname); trace(container); }
