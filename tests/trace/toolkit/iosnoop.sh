# What: iosnoop shows each request to a loop device: program, direction, place, size.  Needs: btf losetup.
. "$LIB"
disk 4M
gives_writes "$loop" || skip "a thread of the kernel gives writes to the driver"
tool iosnoop -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=3 oflag=direct 2>err2; dd if=$loop of=/dev/null bs=8192 count=2 iflag=direct 2>err2'" "$name"
awk -v n="$name" '$4 == n { print $3, $5, $6, $7, ($8 > 0) }' out >got
cat >wanted <<END
dd W 0 4096 1
dd W 8 4096 1
dd W 16 4096 1
dd R 0 8192 1
dd R 16 8192 1
END
diff wanted got || fail "other requests"
contains "^$name  *read  *16384 bytes$"
contains "^$name  *written  *12288 bytes$"
