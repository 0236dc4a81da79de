# What: bitesize counts requests to a loop device by size and process.  Needs: btf losetup.
. "$LIB"
disk 4M
gives_writes "$loop" || skip "a thread of the kernel gives writes to the driver"
tool bitesize -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=65536 count=5 oflag=direct 2>err2; dd if=$loop of=/dev/null bs=4096 count=3 iflag=direct 2>err2'" "$name"
contains '^ *65536 |@* *5 *$'
contains '^ *4096 |@* *3 *$'
same "$(awk '$2 == "dd" && NF == 4 { print $3, $4 }' out | sort | tr '\n' ' ')" "3 12288 5 327680 " "the table"
