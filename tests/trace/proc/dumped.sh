# What: a process that ends with a core file ends as CLD_DUMPED.  Needs: btf.
. "$LIB"
case $(cat /proc/sys/kernel/core_pattern) in
'|'* | /*) skip "core files go to a program, or elsewhere" ;;
esac
must_trace -n 'proc:::exit /progenyof($target)/ { @[args[0] == CLD_DUMPED ? "dumped" : "other"] = count(); }' \
	-c "$TRIGGERS/lives dump 2 exit 1"
same "$(value_of dumped)" 2 dumped
same "$(value_of other)" 2 "other ends"
