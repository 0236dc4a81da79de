BEGIN
{
	stop(); raise(9); copyout(alloca(4), arg0, 4); copyoutstr("text", arg0, arg1);
	breakpoint(); panic(); chill(1000);
	system("ls %s", execname); freopen("/tmp/%d", pid); freopen(""); ftruncate(); setopt("quiet"); setopt(execname, "x");
}
