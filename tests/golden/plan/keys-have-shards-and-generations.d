/* What: keys of their exact sizes; trunc() adds a generation, several areas a shard. Options: cpus=16 */
tick-1 { @a[probefunc, execname, 5] = count(); @b[stack(4)] = max(arg0); @c = avg(arg0); trunc(@a); }
