# What: requests to a loop device by the pages of files and by the memory of processes, and the pages in and out of vminfo: of a
# known number of bytes.  Needs: btf losetup.
. "$LIB"
disk 4M
page=$(getconf PAGESIZE)
cat >test.d <<'END'
sysinfo:::bread,sysinfo:::bwrite,sysinfo:::phread,sysinfo:::phwrite,vminfo:::pgin,vminfo:::pgout /progenyof($target)/ { @n[probename] = sum(arg0); }
vminfo:::pgpgin,vminfo:::pgpgout,vminfo:::fspgin /progenyof($target)/ { @n[probename] = sum(arg0); }
END { printa("%s %@d\n", @n); }
END
value() { awk -v key="$1" '$1 == key { n = $2 } END { print n + 0 }' out; }
# Linux before 6.5 has no phread and phwrite
must_trace -Zs test.d -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=1M count=2 conv=fsync 2>err2'"
[ "$(value pgpgout)" -eq $((2 * 1024 * 1024 / page)) ] || fail "pages out: $(value pgpgout)"
[ "$(value bwrite)" -ge 1 ] && [ "$(value bwrite)" = "$(value pgout)" ] || fail "writes: $(value bwrite), of pages: $(value pgout)"
# what was written has got pages; some may have been there since the device was set up
[ "$(value fspgin)" -gt $((1024 * 1024 / page)) ] && [ "$(value fspgin)" -le $((2 * 1024 * 1024 / page + 64)) ] || fail "pages of files: $(value fspgin)"
same "$(value phwrite)" 0 "writes from the memory of a process"
must_trace -Zs test.d -c "/bin/sh -c 'dd if=$loop of=/dev/null bs=64k skip=32 count=16 2>err2'"
[ "$(value pgpgin)" -ge $((1024 * 1024 / page)) ] && [ "$(value pgpgin)" -le $((3 * 1024 * 1024 / page)) ] || fail "pages in: $(value pgpgin)"
[ "$(value bread)" -ge 1 ] && [ "$(value bread)" = "$(value pgin)" ] || fail "reads: $(value bread), of pages: $(value pgin)"
# blocks of 4,096 bytes that are changed in memory
must_trace -n 'sysinfo:::lwrite /progenyof($target)/ { @["changed"] = sum(arg0); }' -c "dd if=/dev/zero of=$loop bs=4096 seek=100 count=9 conv=notrunc status=none"
same "$(value_of changed)" $((9 * 4096 / $(blockdev --getbsz "$loop"))) "blocks changed"
"$DTRACE" -lqn sysinfo:::phread >list 2>err
grep -q phread list || exit 0
must_trace -s test.d -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=3 oflag=direct 2>err2; dd if=$loop of=/dev/null bs=8192 count=2 iflag=direct 2>err2'"
same "$(value phwrite) $(value phread)" "3 2" "requests of processes"
