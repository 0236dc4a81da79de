# What: two threads at full speed: the merged values are exact, and each CPU's parts add up to them.  Needs: uprobe two-cpus.
# Executors: kernel (the process has no parts of CPUs).
. "$LIB"
must_trace -x aggpercpu -n 'pid$target::step:entry
	{ @n = count(); @["sum"] = sum(arg0); @k[arg0] = count(); @q = quantize(arg0); @l = max(arg0); }' \
	-c "$TRIGGERS/threads 2 40000"
n=$(counted steps)
same "$(awk 'NF == 1 { print $1; exit }' out)" "$n" "steps"
awk -v n="$n" '
	/^  sum/ { sum = $NF; what = "sum"; next }
	NF == 1 && $1 == n { what = "n"; next }
	/^ +[0-6] +[0-9]+$/ { what = "key"; keys += $2; next }
	/\[CPU/ && what && NF == 3 { parts[what] += $3 }
	/value  ---/ { what = "" }
	END {
		print "sum", sum == parts["sum"] && sum == 2 * (3 * (n / 2 - (n / 2) % 7) + ((n / 2) % 7) * ((n / 2) % 7 - 1) / 2)
		print "n", parts["n"] == n
		print "keys", keys == n && parts["key"] == n
	}' out >sums
same "$(tr '\n' ' ' <sums)" "sum 1 n 1 keys 1 " "sums"
# Histograms with keys are shared by the CPUs; not one value is lost to the other's.
must_trace -n 'pid$target::step:entry
	{ @q["q"] = quantize(arg0); @l["l"] = lquantize(arg0, 0, 4, 1, 3); @k["k"] = llquantize(arg0, 10, 0, 6, 20); }' \
	-c "$TRIGGERS/threads 2 40000"
n=$(counted steps)
same "$(awk 'NF == 1 { key = $1 } /\|/ { sum[key] += $NF } END { print sum["q"], sum["l"], sum["k"] }' out)" \
	"$n $((3 * n)) $n" "histograms"
