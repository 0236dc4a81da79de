# What: a process that waits for a bio: start and done of one wait are a pair, with device and direction.  Needs: kprobe btf losetup.
. "$LIB"
truncate -s 4M image
loop=$(losetup -f --show "$PWD/image" 2>err) || skip "no loop device: $(cat err)"
trap 'losetup -d "$loop"' EXIT
name=${loop#/dev/}
# fsync of a block device waits for one empty bio that flushes
must_trace -n "io:::wait-start /pid == \$target && args[1]->dev_statname == \"$name\"/ { self->dev = args[1]->dev_major; @[\"start\", args[0]->b_flags & B_WRITE ? 1 : 0, args[0]->b_flags & B_DONE] = count(); }
	io:::wait-done /pid == \$target && args[1]->dev_statname == \"$name\" && self->dev == args[1]->dev_major/ { @[\"done\", args[0]->b_bcount, (args[0]->b_flags & (B_DONE | B_ERROR)) == B_DONE] = count(); }" \
	-c "/usr/bin/dd if=/dev/zero of=$loop bs=4096 count=1 conv=fsync,notrunc status=none"
contains "^ *start  *1  *0  *1\$"
contains '^ *done  *0  *1  *1$'
