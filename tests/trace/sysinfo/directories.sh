# What: blocks of a file system's own data that a program looks at: for each of its inodes one at least, and all that the kernel
# reports.  Needs: btf losetup mkfs.ext4 unshare.
. "$LIB"
grep -qw ext4 /proc/filesystems || skip "no ext4"
mkdir -p content mounted
for i in $(seq 30); do mkdir "content/$i"; done
truncate -s 4M image
mkfs.ext4 -q -F -d content image 2>err || skip "mkfs.ext4: $(cat err)"
must_trace -n 'sysinfo:::lread /progenyof($target) && execname == "ls"/ { @n["read"] = sum(arg0); }
	rawtp:::block_touch_buffer /progenyof($target) && execname == "ls"/ { @n["touched"] = sum(1); }' \
	-c "unshare -m sh -c 'mount -o loop,ro image mounted && ls -l mounted >list'"
same "$(grep -c '^d' list)" 31 directories
[ "$(value_of read)" -ge 31 ] || fail "$(value_of read) blocks"
same "$(value_of read)" "$(value_of touched)" "blocks looked at"
