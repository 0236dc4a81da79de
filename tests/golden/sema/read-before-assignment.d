/* A variable may be read before the text assigns to it; its type is that of the first assignment. */
struct s { char m[8]; };
inline uint64_t elapsed = now - start;
BEGIN /go && self->deep/ { trace(x); trace(name); trace(a[1, "k"]); trace(elapsed); trace(this->t); trace(self->deep); }
BEGIN { trace(sizeof(small)); trace(task->m); trace(small); small = (short)rand(); }
ERROR { this->t = pid; a[pid, execname] = x++; self->deep = this->t + small; task = (struct s *)arg1; }
END { name = execname; x = 5ull; go = last; now = timestamp; start = now; }
END { last = first; }
END { first = 7; }
