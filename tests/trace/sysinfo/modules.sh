# What: modules that are loaded and unloaded, as many times as they are.  Needs: btf python3.
. "$LIB"
module=$checkout/tests/trace/fbt/module.py
grep -q '^dummy ' /proc/modules && skip "the module dummy is loaded already"
/usr/bin/python3 "$module" find dummy || skip "there is no module dummy"
must_trace -n 'sysinfo:::modload /pid == $target/ { @n["loaded"] = sum(arg0); }
	sysinfo:::modunload /pid == $target/ { @n["unloaded"] = sum(arg0); }' -c "/usr/bin/python3 $module reload dummy numdummies=0"
same "$(value_of loaded) $(value_of unloaded)" "3 3" "loaded and unloaded"
