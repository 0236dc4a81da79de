# What: args[2] is the file whose pages are written, by name, type of file system and place in the file.  Needs: btf losetup mkfs.ext4 unshare.
. "$LIB"
truncate -s 8M image
mkdir mounted
cat >run.sh <<'END'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
"$DTRACE" -q -n "io:::start /args[1]->dev_statname == \"${loop#/dev/}\"/ {
	@[args[2]->fi_name, args[2]->fi_fs, args[2]->fi_name == \"hello\" ? args[2]->fi_offset : 0] = sum(args[0]->b_bcount); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=mounted/hello bs=8k seek=3 count=2 conv=fsync 2>/dev/null'" >out 2>err
status=$?
umount mounted
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { [ $? -eq 77 ] && skip "no ext4 on a loop device"; fail "status"; }
contains '^ *hello  *ext4  *24576  *16384$'
