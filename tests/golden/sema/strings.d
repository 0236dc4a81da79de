char *cp; string s;
BEGIN
{
	cp = (char *)arg0; s = cp; s = "lit"; s = stringof(arg0); s = (string)arg1;
	trace(s == cp); trace(cp == cp); trace("a" < s); trace(s != NULL); trace(s == 0);
	trace(pid ? "yes" : s); trace(pid ? cp : s); trace(s[0]); trace(s[1]); trace(strlen(cp));
	trace(strjoin(s, "x")); trace(strtok(NULL, " ")); trace(substr(s, 1)); trace(substr(s, 1, timestamp));
	trace(index(s, "a", 2)); trace(copyinstr(arg0)); trace(copyinstr(arg0, 5)); trace(basename(execname));
	trace((char *)s);
}
