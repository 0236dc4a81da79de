# What: waits for mutexes and for reader-writer locks are counted as the kernel reports them.  Needs: btf python3
. "$LIB"
cp "$checkout/tests/trace/lockstat/contends.py" child.py
# Of threads that are not the first one: these wait for the locks that the program's threads hold.
trace_often -n 'sysinfo:::mutex_adenters /pid == $target && tid != pid/ { @n["mutex"] = sum(arg0); }
	sysinfo:::rw_wrfails /pid == $target && tid != pid/ { @n["writers"] = sum(arg0); }
	sysinfo:::rw_rdfails /pid == $target && tid != pid/ { @n["readers"] = sum(arg0); }
	rawtp:::contention_begin /pid == $target && tid != pid/ { @k["kernel-mutex"] = sum((arg1 & 32) != 0);
		@k["kernel-writers"] = sum((arg1 & 4) != 0); @k["kernel-readers"] = sum((arg1 & 2) != 0); }
	END { printa("%s %@d\n", @n); printa("%s %@d\n", @k); }' -c "$(command -v python3) child.py"
[ ! -f skipped ] || skip "$(cat skipped)"
[ "$(value_of mutex)" -ge 3 ] && [ "$(value_of writers)" -ge 4 ] || fail "waits of the program are missing"
for kind in mutex writers readers; do
	same "$(value_of $kind)" "$(value_of "kernel-$kind")" "$kind"
done
