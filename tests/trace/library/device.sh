# What: devinfo_t says of a block device what its node and /sys say.  Needs: btf.
. "$LIB"
disk=
for node in /dev/loop0 /dev/zram0 /dev/vda /dev/sda; do
	[ -b "$node" ] && (: <"$node") 2>/dev/null && disk=$node && break
done
[ "$disk" ] || skip "no disk that could be opened"
cat >it.d <<'D'
inline struct block_device *bdev_of[int fd] =
	&((struct bdev_inode *)((char *)curthread->files->fdt->fd[fd]->f_mapping->host -
	    offsetof(struct bdev_inode, vfs_inode)))->bdev;
inline devinfo_t disk = xlate <devinfo_t>(bdev_of[0]);
BEGIN {
	printf("%d %d %s %s\n", disk.dev_major, disk.dev_minor, disk.dev_statname, disk.dev_pathname);
	printf("%s %s\n", disk.dev_name, xlate <devinfo_t>((struct block_device *)NULL).dev_name);
	exit(0);
}
D
must_trace -s it.d <"$disk"
name=${disk#/dev/}
same "$(sed -n 1p out)" "$(tr : ' ' <"/sys/block/$name/dev") $name $disk" numbers
driver=$(readlink "/sys/block/$name/device/driver")
same "$(sed -n 2p out)" "$([ "$driver" ] && basename "$driver" || echo "$name") <unknown>" driver
