# What: d_path() says of open files what /proc says: mounts, deleted ones, pipes, deep ones.  Needs: btf python3.
. "$LIB"
clause='syscall::close:entry /pid == $target && arg0 >= 100/ {
	printf("%s\n", d_path(&curthread->files->fdt->fd[arg0]->f_path)); }'
for size in 1024 32; do
	trace -x strsize=$size -o names -n "$clause" -c "$TRIGGERS/files"
	same "$status" 0 status
	longer=$(awk -v size=$size 'length($0) > size' out | wc -l)
	same "$(sed -n 's/^dtrace: \([0-9]*\) strings* truncated to strsize .*/\1/p' err)" "${longer#0}" "cuts told"
	cut -c -$size out >wanted
	same "$(wc -l <wanted)" 11 "files"
	grep -v '^$' names | diff wanted - >differ || fail "strsize $size: $(cat differ)"
	rm -f names
done

# In another root directory, of a process with separate mounts.
mkdir -p jail/dir jail/proc
clause='syscall::chdir:return /pid == $target/ { printf("%s %s\n", d_path(&curthread->fs->pwd),
	d_path(&curthread->fs->root)); }'
must_trace -n "$clause" -c 'python3 -c "import os; os.chroot(\"jail\"); os.chdir(\"/dir\"); os.chdir(\"/\")"'
same "$(grep -v '^$' out | tr '\n' ' ')" "/dir / / / " "names below another root"

trace -n 'BEGIN { trace(d_path((struct path *)8)); } BEGIN { exit(0); }'
contains 'invalid address (0x8) in action #1' err
trace -n 'BEGIN { trace(d_path(NULL)); } BEGIN { exit(0); }'
contains 'invalid address (0x0) in action #1' err
