/* What: probe names are the probe's id, execname 16 bytes, a text that a clause computes has strsize in all of them.  Options: code=0 */
syscall::read:entry { @ids[probefunc, probename] = count(); @names[execname, pid] = count(); }
syscall::read:entry { @text[strjoin(execname, "!"), pid] = count(); @either[probefunc] = count(); }
syscall::write:entry { @either["out"] = count(); array[pid, execname] = 1; self->mine[pid] = 1; }
