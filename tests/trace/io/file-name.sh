# What: args[2] is the file whose pages are written, by name, path, type and place of the file system, and place in the file; written by the
# process, or later by the kernel's own threads; also after it was deleted. A file system's own data has no file.  Needs: btf losetup mkfs.ext4 unshare.
. "$LIB"
truncate -s 8M image
mkdir mounted
cat >run.sh <<'END'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
mkdir -p mounted/some/folder
"$DTRACE" -q -n "io:::start, io:::done /args[1]->dev_statname == \"${loop#/dev/}\" && args[0]->b_bcount/ {
	@[probename, execname == \"dd\" ? \"dd\" : \"other\", args[2]->fi_pathname, args[2]->fi_name, args[2]->fi_dirname, args[2]->fi_fs, args[2]->fi_mount,
	args[2]->fi_fs == \"bdev\" ? 0 : args[2]->fi_offset, args[2]->fi_oflags] = sum(args[0]->b_bcount); }
	END { printa(\"%s %s %s %s %s %s %s %d %x %@d\n\", @); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=mounted/hello bs=8k seek=3 count=2 conv=fsync 2>/dev/null
		dd if=/dev/zero of=mounted/some/folder/later bs=16k count=1 2>/dev/null; sync -f mounted
		{ rm mounted/gone; dd if=/dev/zero bs=16k count=1; sync -f mounted; } >mounted/gone 2>/dev/null'" >out 2>err
status=$?
umount mounted
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { [ $? -eq 77 ] && skip "no ext4 on a loop device"; fail "status"; }
[ ! -s err ] || fail "something on standard error"
at=$PWD/mounted
contains "^start dd $at/hello hello $at ext4 $at 24576 0 16384\$"
contains "^done .* $at/hello hello $at ext4 $at 24576 0 16384\$"
contains "^start other $at/some/folder/later later $at/some/folder ext4 $at 0 0 16384\$"
contains "^start other $at/gone (deleted) gone $at ext4 $at 0 0 16384\$"
contains '^start other <none> <none> <none> bdev <none> 0 0 '
