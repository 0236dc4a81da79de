# What: iolatency counts requests to a loop device by time and direction.  Needs: btf losetup.
. "$LIB"
disk 4M
gives_writes "$loop" || skip "a thread of the kernel gives writes to the driver"
tool iolatency -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=7 oflag=direct 2>err2; dd if=$loop of=/dev/null bs=8192 count=2 iflag=direct 2>err2'" "$name"
contains "^$name, writes, time in us:$"
same "$(awk -v n="$name" '$1 == n && NF == 5 && $4 > 0 && $5 >= $4 { print $2, $3 }' out | sort | tr '\n' ' ')" "reads 2 writes 7 " "the table"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" 9 "requests in histograms"
