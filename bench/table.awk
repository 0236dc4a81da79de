# table - the rounds of one line of the bench to rows of text
#
# The data: "ROUND VARIANT KEY VALUE" a line.  ROWS (a file) says what to print:
#
#   TEXT|UNIT|OURS|PEER|WANTED
#
# OURS and PEER are VARIANT.KEY or VARIANT.KEY-VARIANT.KEY (a difference within a round;
# PEER may be empty).  WANTED, words: "<=10" the median of ours; "x<=1.1" the median of
# the ratios ours/peer, each within its round; "=0" ours in every round.
#
# With BASE a column has the ratios of ours to what the earlier dtrace gave (VARIANT@.KEY).
#
# A round takes part in a ratio if both sides have a value in it; none to none is 1.

function value(expression, round,    part, n) {
	n = split(expression, part, "-")
	if (!((round, part[1]) in data) || (n > 1 && !((round, part[2]) in data)))
		return "none"
	return n > 1 ? data[round, part[1]] - data[round, part[2]] : data[round, part[1]]
}

# The same of the earlier dtrace: none if it took no part in the round.
function earlier(expression, round,    part, n, i, at, took_part) {
	n = split(expression, part, "-")
	for (i = 1; i <= n; i++) {
		at = part[i]
		sub(/\./, "@.", at)
		if ((round, at) in data) {
			part[i] = at
			took_part = 1
		}
	}
	return took_part ? value(part[1] (n > 1 ? "-" part[2] : ""), round) : "none"
}

function sort(list, n,    i, j, x) {
	for (i = 2; i <= n; i++) {
		x = list[i]
		for (j = i - 1; j >= 1 && list[j] > x; j--)
			list[j + 1] = list[j]
		list[j + 1] = x
	}
}

function median(list, n) {
	sort(list, n)
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function number(x,    size) {
	if (x >= 1e9)
		return "inf"
	size = x < 0 ? -x : x
	return sprintf(size == int(size) || size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", x)
}

function summary(list, n,    m) {
	if (n == 0)
		return "-"
	m = median(list, n)
	return number(m) (n > 1 ? " [" number(list[1]) "-" number(list[n]) "]" : "")
}

function is_met(wish,    x, goal) {
	goal = wish
	gsub(/[x<>=]/, "", goal)
	goal += 0
	if (wish ~ /^=/)
		return our_count && ours[1] == goal && ours[our_count] == goal
	if (wish ~ /^x/ && !ratio_count)
		return 0
	x = wish ~ /^x/ ? median(ratio, ratio_count) : median(ours, our_count)
	return our_count && (wish ~ /<=/ ? x <= goal : x >= goal)
}

function quotient(a, b) {
	return b > 0 ? a / b : a == 0 ? 1 : 1e9
}

function row(text, unit, our, peer, wanted,    round, a, b, word, n, i, said, result, c, earlier_count) {
	our_count = peer_count = ratio_count = 0
	for (round = 1; round <= rounds; round++) {
		a = value(our, round)
		b = peer == "" ? "none" : value(peer, round)
		if (a != "none")
			ours[++our_count] = a
		if (b != "none")
			theirs[++peer_count] = b
		if (a != "none" && b != "none" && b >= 0)
			ratio[++ratio_count] = quotient(a, b)
		c = earlier(our, round)
		if (a != "none" && c != "none" && c >= 0)
			before[++earlier_count] = quotient(a, c)
	}
	sort(ours, our_count)
	n = split(wanted, word, " ")
	result = n ? "met" : ""
	for (i = 1; i <= n; i++) {
		said = said (i > 1 ? ", " : "") (word[i] ~ /^x/ ? "ratio" substr(word[i], 2) : word[i])
		if (!is_met(word[i]))
			result = "MISSED"
	}
	printf "%-44s %-26s %-26s %-20s ", text (unit == "" ? "" : ", " unit), summary(ours, our_count),
		summary(theirs, peer_count), summary(ratio, ratio_count)
	if (BASE)
		printf "%-20s ", summary(before, earlier_count)
	printf "%-18s %s\n", said, result
}

{
	data[$1, $2 "." $3] = $4
	if ($1 > rounds)
		rounds = $1
}

END {
	printf "%-44s %-26s %-26s %-20s %s%-18s\n", "", "dtrace", "bpftrace", "ratio",
		BASE ? sprintf("%-20s ", "to the earlier") : "", "wanted"
	while ((getline line < ROWS) > 0) {
		split(line, field, "|")
		row(field[1], field[2], field[3], field[4], field[5])
	}
}
