# What: a clause that keeps an error of a request and names it loads on every kernel: the verifier must not follow each error with
# each name.  Needs: btf.
. "$LIB"
cat >test.d <<'END2'
io:::start /target/ { begun[arg0] = timestamp; program[arg0] = execname; }
io:::done /begun[arg0]/ {
	this->e = args[0]->b_error;
	printf("%-16s %-10s %10d %8d %s%s\n", program[arg0], args[1]->dev_statname, args[0]->b_blkno, args[0]->b_bufsize,
	    args[2]->fi_name, this->e ? strjoin(" ", errno_name[this->e]) : "");
	@bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "written"] = sum(args[0]->b_bufsize);
	begun[arg0] = 0;
	program[arg0] = 0;
}
END2
must_trace -s test.d -o log -c /bin/true
