# What: args[2] is the file whose pages are written, by name and type of file system.  Needs: btf losetup mkfs.ext4 unshare.
. "$LIB"
truncate -s 8M image
mkdir mounted
cat >run.sh <<'END'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
"$DTRACE" -q -n "io:::start /args[1]->dev_statname == \"${loop#/dev/}\"/ { @[args[2]->fi_name, args[2]->fi_fs] = count(); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=mounted/hello bs=64k count=4 conv=fsync 2>/dev/null'" >out 2>err
status=$?
umount mounted
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { [ $? -eq 77 ] && skip "no ext4 on a loop device"; fail "status"; }
contains '^ *hello  *ext4  *[0-9]'
