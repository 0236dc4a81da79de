# lib - functions shared by the lines of the bench; bench/run reads it, then a file of bench/lines
#
# A line defines run_VARIANT functions, each of which does one measurement and writes
# "KEY VALUE" lines, calls `paired`, and then `row` for each printed row.

# paired ROUNDS VARIANT... - every variant once a round, in a new random order; a variant that runs dtrace
# also runs the earlier one, if BASE names it: its values are those of VARIANT@
paired() {
	rounds=$1
	shift
	round=$first
	while [ "$round" -lt $((first + rounds)) ]; do
		for variant in $(shuf -e "$@"); do
			for tracer in $(shuf -e "$dtrace" ${base:+"$base"}); do
				ran= this=$tracer
				"run_$variant" >"$work/values"
				mark=
				[ -n "$ran" ] && [ "$ran" = "$base" ] && mark=@
				sed "s/^/$round $variant$mark /" "$work/values" >>"$work/data"
				[ -n "$ran" ] || break
			done
		done
		round=$((round + 1))
	done
}

# row TEXT UNIT OURS PEER WANTED - see table.awk
row() {
	echo "$1|$2|$3|$4|$5" >>"$work/rows"
}

# note TEXT - printed below the table
note() {
	echo "  $*" >>"$work/notes"
}

# get FILE KEY - the value of KEY in a report
get() {
	awk -v key="$2" '$1 == key { print $2 }' "$1"
}

# ours [OPTION...] -- ARGUMENT... / peer ... - run it with the options of measure.
# Leaves $work/out, $work/err and the report $work/cost.  `only` may hold a command before it.
ours() {
	ran=$this
	observe dtrace "$this" "$@"
}

peer() {
	observe bpftrace bpftrace "$@"
}

observe() {
	name=$1 command=$2
	shift 2
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -f "$work/report"
	# shellcheck disable=SC2086 # words: options of measure, and the caller's `only`
	"$bin/measure" $options -o "$work/out" -e "$work/err" -r "$work/cost" $only "$command" "$@" </dev/null
	status=$(get "$work/cost" status)
	if [ "$status" != 0 ]; then
		echo "bench: $name ended with status $status: $*" >&2
		sed 's/^/bench:   /' "$work/err" | tail -5 >&2
	fi
}

# cost KEY... - lines of the tracer's report, as they are
cost() {
	for key; do
		echo "$key $(get "$work/cost" "$key")"
	done
}

# target KEY... - the same of the target's report
target() {
	for key; do
		echo "$key $(get "$work/report" "$key")"
	done
}

# counted - the only number that the tracer printed, less the target's own count: 0 if right
counted() {
	awk -v calls="$(get "$work/report" calls)" '
		match($0, /[0-9]+$/) { sum += substr($0, RSTART) }
		END { print "wrong", sum - calls }' "$work/out"
}
