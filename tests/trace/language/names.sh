# What: names of errors, signals and flags are printed; flags that have none.  (library/constants.sh compares the numbers.)
. "$LIB"
cat >printed.d <<'D'
BEGIN
{
	printf("%s %s %s %s|", errname[2], signame[15], family_name[10], whence_name[1]);
	printf("%s %s %s|", open_flags(02102), prot_flags[7], map_flags(0x22));
	printf("%s %s %s %d|", errname(11), errname[4000], clone_flags(0x10f11), errname[2]);
	printf("%s %s|", message_flags(0x4040), at_flags(0x1100));
	printf("%s %s %s", open_flags(O_SYNC | O_APPEND), open_flags(O_TMPFILE | O_RDWR), map_flags(3));
	@[errname[13]] = count();
	exit(errno == 0 ? ESRCH : 0);
}
D
trace -q -s printed.d
same "$status" 3 status
contains 'ENOENT SIGTERM AF_INET6 SEEK_CUR|O_RDWR|O_CREAT|O_APPEND PROT_READ|PROT_WRITE|PROT_EXEC MAP_PRIVATE|MAP_ANONYMOUS|' out
contains '|EAGAIN 4000 CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|0x11 2|MSG_DONTWAIT|MSG_NOSIGNAL AT_SYMLINK_NOFOLLOW|AT_EMPTY_PATH|' out
contains '|O_SYNC|O_APPEND O_TMPFILE|O_RDWR MAP_SHARED_VALIDATE$' out
contains '^  EACCES  *1$' out
