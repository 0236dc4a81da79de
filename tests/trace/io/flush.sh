# What: a device whose cache is emptied: each start has its done, none is alone, and what empties the cache is a write.
# Needs: btf losetup mkfs.ext4 unshare python3.
. "$LIB"
truncate -s 16M image
mkdir mounted
cat >child.py <<'E2'
import os
file = os.open("mounted/file", os.O_CREAT | os.O_RDWR)
for i in range(5):
    os.pwrite(file, b"x" * 4096, i * 4096)
    os.fdatasync(file)
E2
cat >run.sh <<'E2'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
sync
name=${loop#/dev/}
"$DTRACE" -q -n "io:::start /args[1]->dev_statname == \"$name\"/ { begun[arg0] = 1; @n[\"start\"] = count(); }
	io:::done /args[1]->dev_statname == \"$name\" && begun[arg0]/ { @n[\"done\"] = count(); }
	io:::done /args[1]->dev_statname == \"$name\" && !begun[arg0]/ { @n[\"alone\"] = count(); }
	io:::done /args[1]->dev_statname == \"$name\"/ { begun[arg0] = 0; }
	io:::start /args[1]->dev_statname == \"$name\" && !args[0]->b_bcount/ { @n[args[0]->b_flags & B_WRITE ? \"flush\" : \"wrong\"] = count(); }
	END { printa(\"%s %@d\\n\", @n); }" -c "python3 child.py" >out 2>err
status=$?
umount mounted
losetup -d "$loop"
exit "$status"
E2
unshare -m sh run.sh || { [ $? -eq 77 ] && skip "no ext4 on a loop device"; fail "status"; }
[ "$(value_of flush)" -ge 5 ] || skip "this device is not emptied by requests"
same "$(value_of alone) $(value_of wrong)" "0 0" "done without start, flushes that read"
same "$(value_of done)" "$(value_of start)" "done"
