# What: devinfo_t says of block devices what their nodes and /sys say: numbers, names, drivers.  Needs: btf.
. "$LIB"
cat >it.d <<'D'
inline struct block_device *bdev_of[int fd] =
	&((struct bdev_inode *)((char *)curthread->files->fdt->fd[fd]->f_mapping->host -
	    offsetof(struct bdev_inode, vfs_inode)))->bdev;
inline devinfo_t disk = xlate <devinfo_t>(bdev_of[0]);
BEGIN {
	printf("%d %d %d %s %s\n", disk.dev_major, disk.dev_minor, disk.dev_instance, disk.dev_statname, disk.dev_pathname);
	printf("%s %s\n", disk.dev_name, xlate <devinfo_t>((struct block_device *)NULL).dev_name);
	printf("%d\n", xlate <devinfo_t>((struct block_device *)NULL).dev_instance);
	exit(0);
}
D
cat >wanted.names <<'E2'
loop0 loop
loop1 loop
zram0 zram
dm-0 dm
md0 md
nvme0n1 nvme
E2
tried=0
for name in loop0 loop1 zram0 dm-0 md0 nvme0n1 vda sda sr0; do
	disk=/dev/$name
	[ -b "$disk" ] && (: <"$disk") 2>/dev/null || continue
	tried=$((tried + 1))
	must_trace -s it.d <"$disk"
	number=$(cat "/sys/block/$name/dev")
	same "$(sed -n 1p out)" "${number%:*} ${number#*:} ${number#*:} $name $disk" "numbers of $name"
	driver=$(readlink "/sys/block/$name/device/driver")
	[ "$driver" ] && driver=$(basename "$driver") || driver=$(sed -n "s/^$name //p" wanted.names)
	same "$(sed -n 2p out)" "$driver <unknown>" "the driver of $name"
	same "$(sed -n 3p out)" 0 "the instance of no device"
done
[ "$tried" -gt 0 ] || skip "no disk that could be opened"
