# What: mountsnoop shows mounts and unmounts with type, source and place.  Needs: btf.
. "$LIB"
unshare -m true 2>/dev/null || skip "no mount namespace can be made"
trace -s mountsnoop -x childstatus -c "$TRIGGERS/deeds mount 3"
[ "$status" = 77 ] && skip "nothing can be mounted here"
same "$status" 0 status
same "$(grep -c ' deeds  *mount  *tmpfs  *0x00000000 -  *deeds place$' out)" 3 "mounts"
same "$(grep -c ' deeds  *umount2  *-  *0x00000002 -  *- place$' out)" 3 "unmounts"
contains '^ *3 calls of umount2$'
contains '^ *6 calls of mount$'
