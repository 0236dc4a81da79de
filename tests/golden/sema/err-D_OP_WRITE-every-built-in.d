BEGIN { caller = 1; cpu = 1; epid++; errno -= 1; execargs = "x"; gid = 1; id = 1; ipl = 0; ppid = 1; probefunc = "x"; probemod = "x"; }
BEGIN { stackdepth = 1; threadname = "x"; tid = 1; ucaller = 1; uid = 1; ustackdepth = 1; regs[1] = 1; }
