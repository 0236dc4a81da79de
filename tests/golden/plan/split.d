/* What: groups in parts: at 120 instructions, about; two passes.  Options: part=120 */
this int n;
syscall::read:entry { this->n = 1; @a[execname] = count(); }
syscall::read:entry, syscall::write:entry { @b[pid, tid] = sum(arg2); @c[cpu] = max(this->n); }
syscall::openat:entry { printf("%s %d", copyinstr(arg1), this->n); }
syscall::read:entry { this->n++; }
fun:::tick-one { @d[probename, 1] = count(); @d[probename, 2] = count(); }
tick-1 { @d[probename, 3] = count(); @d[probename, 4] = count(); }
tick-1, fun:::tick-one { @e = count(); }
