# What: a process whose control group is full looks for pages: what it looks at and frees, as many as the tracepoints say, and
# at least as many as do not fit.  Needs: btf python3.
. "$LIB"
base=/sys/fs/cgroup
limit=memory.max
[ -f $base/cgroup.controllers ] || { base=/sys/fs/cgroup/memory limit=memory.limit_in_bytes; }
group=$base/dtrace-test.$$
mkdir "$group" 2>/dev/null && [ -f "$group/$limit" ] || { rmdir "$group" 2>/dev/null; skip "no control group with memory can be made"; }
trap 'for i in 1 2 3 4 5 6 7 8 9 10; do rmdir "$group" 2>/dev/null && break; sleep 0.3; done' EXIT
echo 16777216 >"$group/$limit" || skip "no limit can be set"
cat >child.py <<'E2'
import os, sys
with open(sys.argv[1] + "/cgroup.procs", "w") as f:
    print(os.getpid(), file=f)
with open("large", "wb") as f:
    for i in range(64):
        f.write(bytes(1 << 20))
        f.flush()
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
E2
# Without keys: no memory is needed for new elements where there is none.
must_trace -n 'vminfo:::scan /pid == $target/ { @scan = sum(arg0); }
	vminfo:::dfree /pid == $target/ { @dfree = sum(arg0); }
	vminfo:::fsfree /pid == $target/ { @fsfree = sum(arg0); }
	vminfo:::anonfree /pid == $target/ { @anonfree = sum(arg0); }
	rawtp:::mm_vmscan_lru_isolate /pid == $target/ { @isolated = sum(arg3); }
	rawtp:::mm_vmscan_lru_shrink_inactive /pid == $target/ { @freed = sum(arg2); }
	END { printa("scan %@d\n", @scan); printa("dfree %@d\n", @dfree); printa("fsfree %@d\n", @fsfree);
		printa("anonfree %@d\n", @anonfree); printa("isolated %@d\n", @isolated); printa("freed %@d\n", @freed); }' \
	-c "$(command -v python3) child.py $group"
page=$(getconf PAGESIZE)
[ "$(value_of dfree)" -ge $((40 * 1024 * 1024 / page)) ] || fail "only $(value_of dfree) pages freed"
same "$(value_of dfree)" "$(value_of freed)" "pages freed"
same "$(($(value_of fsfree) + $(value_of anonfree)))" "$(value_of freed)" "pages freed, of files and others"
[ "$(value_of fsfree)" -gt "$(value_of anonfree)" ] || fail "more pages of processes than of files"
same "$(value_of scan)" "$(value_of isolated)" "pages looked at"
