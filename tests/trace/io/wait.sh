# What: a process that waits for a bio: start and done of one wait are a pair, with device, place, size and direction.  Needs: kprobe btf losetup.
. "$LIB"
truncate -s 4M image
loop=$(losetup -P -f --show "$PWD/image" 2>err) || skip "no loop device: $(cat err)"
trap 'losetup -d "$loop"' EXIT
name=${loop#/dev/}
# fsync of a block device waits for one empty bio that flushes
must_trace -n "io:::wait-start /pid == \$target && args[1]->dev_statname == \"$name\"/ { self->dev = args[1]->dev_major; @[\"start\", args[0]->b_flags & B_WRITE ? 1 : 0, args[0]->b_flags & B_DONE] = count(); }
	io:::wait-done /pid == \$target && args[1]->dev_statname == \"$name\" && self->dev == args[1]->dev_major/ { @[\"done\", args[0]->b_bcount, (args[0]->b_flags & (B_DONE | B_ERROR)) == B_DONE] = count(); }" \
	-c "/usr/bin/dd if=/dev/zero of=$loop bs=4096 count=1 conv=fsync,notrunc status=none"
contains "^ *start  *1  *0  *1\$"
contains '^ *done  *0  *1  *1$'
# A small direct read waits for its bio, whose place and size are gone from it when it is done.
waits() {
	must_trace -qn "io:::wait-start, io:::wait-done /pid == \$target && args[0]->b_bcount != 0/ {
		printf(\"%s %s %d %d %d %d\\n\", probename, args[1]->dev_statname, args[0]->b_blkno, args[0]->b_lblkno, args[0]->b_bcount, args[0]->b_bufsize); }" \
		-c "/usr/bin/dd if=/dev/$1 of=/dev/null bs=8192 skip=3 count=1 iflag=direct status=none"
	sed '/^$/d' out >got
	printf 'wait-%s %s %d %d 8192 8192\n' start "$1" "$2" "$2" done "$1" "$2" "$2" >wanted
	diff wanted got >differences || { cat differences; fail "other waits for $1"; }
}
waits "$name" 48
# A partition from block 2048 on.
printf '\0\0\0\203\0\0\0\0\010\0\0\0\020\0\0' | dd of="$loop" bs=1 seek=447 conv=notrunc status=none
printf '\125\252' | dd of="$loop" bs=1 seek=510 conv=notrunc status=none
losetup -d "$loop"
loop=$(losetup -P -f --show "$PWD/image") || fail "no loop device again"
name=${loop#/dev/}
[ -b "${loop}p1" ] || fail "no partition is found"
waits "${name}p1" 2096
# A flush has no place, of a partition neither.
must_trace -qn "io:::wait-start, io:::wait-done /pid == \$target && args[0]->b_bcount == 0 && args[1]->dev_statname == \"${name}p1\"/ {
	@[probename, args[0]->b_blkno, args[0]->b_bufsize, args[0]->b_resid] = count(); }" \
	-c "/usr/bin/dd if=/dev/zero of=${loop}p1 bs=4096 count=1 conv=fsync,notrunc status=none"
contains '^ *wait-start  *0  *0  *0  *1$'
contains '^ *wait-done  *0  *0  *0  *1$'
