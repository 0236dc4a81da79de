# What: a write that fails has b_error (EIO or ENOSPC by kernel), b_resid and B_ERROR.  Needs: btf losetup unshare.
. "$LIB"
mkdir small
cat >run.sh <<'END'
mount -t tmpfs -o size=64k tmpfs small && truncate -s 1M small/image && loop=$(losetup -f --show small/image) || exit 77
"$DTRACE" -q -n "io:::done /args[1]->dev_statname == \"${loop#/dev/}\" && args[0]->b_flags & B_WRITE/ {
	@[args[0]->b_error == EIO || args[0]->b_error == ENOSPC ? \"EIO\" : args[0]->b_error ? \"other\" : \"fine\", args[0]->b_flags & B_ERROR ? \"error\" : \"good\",
		args[0]->b_resid == args[0]->b_bcount ? \"none\" : args[0]->b_resid ? \"some\" : \"all\"] = count(); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=40 oflag=direct seek=0 conv=notrunc 2>/dev/null || :'" >out 2>err
status=$?
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { [ $? -eq 77 ] && skip "no loop device on a tmpfs"; fail "status"; }
contains '^ *fine  *good  *all  *[0-9]'
contains '^ *EIO  *error  *none  *1$'
