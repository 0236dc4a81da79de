BEGIN
{
	trace(htons(0x1234)); trace(htonl(pid)); trace(ntohll(timestamp)); trace(rand()); trace(progenyof(pid));
	trace(inet_ntoa((ipaddr_t *)arg0)); trace(lltostr(arg0)); trace(lltostr(arg0, 16)); trace(strtoll("5"));
	trace(strchr("abc", 'b')); trace(toupper(execname)); trace(getmajor(arg0)); trace(strstr(execname, "x"));
	trace(dirname("a/b")); trace(cleanpath("x")); trace(*(int *)copyin(arg0, 4)); trace(strrchr(execname, arg1));
}
