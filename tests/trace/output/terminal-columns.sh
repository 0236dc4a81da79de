# What: on a terminal, long names in -l, records, -F and tables of aggregations are cut with ".." where the line would be longer; not in formats of the program, not in files and pipes.  Needs: python3.
# Executors: kernel process.
. "$LIB"
command -v cc >/dev/null || skip "no cc here"
export NO_COLOR=1
# on_terminal COLUMNS ARGUMENT... - messages are no part of what is looked at
on_terminal() {
	terminal "$@" || fail "status $?"
	grep -v '^dtrace: ' out >lines
	mv lines out
}
# fits COLUMNS - each line of ./out does
fits() {
	awk -v columns="$1" 'length($0) > columns' out >long
	[ ! -s long ] || fail "longer than $1: $(cat long)"
}

# Names of 30, 60 and 90 characters.
n30=name_of_thirty_characters_long n60=${n30}_${n30%?} n90=${n60}_${n30%?}
printf 'int %s(int i) { return i + 1; }\nint %s(int i) { return %s(i) + 1; }\nint %s(int i) { return %s(i) + 1; }\nint main(void) { return %s(1) == 0; }\n' \
	$n30 $n60 $n30 $n90 $n60 $n90 >names.c
cc -O0 -o names names.c || fail "cc"
t='pid$target:a.out:name_*:entry'

# A name has what its line leaves: 80 without CPU, ID and :entry are 62 cells.
on_terminal 80 -n "$t" -c ./names
fits 80
grep -q " $n30:entry" out || fail "a short name is cut"
grep -q " $n60:entry" out || fail "a name that fits is cut"
cut=$(echo $n90 | cut -c 1-61)
grep -q " $cut..:entry\$" out || fail "the long name is not cut to the line"
on_terminal 80 -n "$t { trace(1); trace(\"data\"); }" -c ./names
fits 80
same "$(grep -c '^ *[0-9]* *[0-9]* name_of_thirty_characters_.*\.\.:entry *1  data$' out)" 2 "names before data"
same "$(grep -c "^ *[0-9]* *[0-9]* $n30:entry *1  data" out)" 1 "a short name before data"
on_terminal 200 -n "$t { trace(\"data\"); }" -c ./names
grep -q " $n90:entry *data" out || fail "a wide terminal"

# -l: the four names share the line.
on_terminal 80 -ln "$t,pid\$target:a.out:name_*:return" -c ./names
fits 80
same "$(grep -c ' names *name_of_thirty_characters.*\.\. \(entry\|return\)$' out)" 4 "long names of -l"
same "$(grep -c " names *$n30 " out)" 2 "short names of -l"
on_terminal 52 -ln "$t" -c ./names
fits 52
same "$(grep -c ' names *name_of.*\.\. entry$' out)" 3 "names of -l on a narrow terminal"
on_terminal 150 -ln "$t" -c ./names
grep -q " $n90 entry\$" out || fail "-l on a wide terminal"
on_terminal 80 -lvn "$t" -c ./names
same "$(grep -c ' names *name_of_thirty_characters.*\.\. entry$' out)" 2 "long names of -lv"
"$DTRACE" -ln "$t" -c ./names 2>err | cat >out
grep -q " $n90 entry\$" out || fail "-l into a pipe"

# What the program's format prints is whole, and no name is cut in vain for it.
on_terminal 80 -n "$t { printf(\"%s|%s\", probefunc, \"$n90\"); }" -c ./names
grep -q " $n90:entry $n90|$n90\$" out || fail "a format, after the name"
on_terminal 80 -qn "$t { printf(\"%s|%s\n\", probefunc, \"$n90\"); @[probefunc] = count(); } END { printa(\"%s=%@d\n\", @); }" -c ./names
grep -q "^$n90|$n90\$" out || fail "a format"
grep -q "^$n90=1\$" out || fail "a format of printa()"
grep -qF .. out && fail "something is cut"

# -F: the indentation stays.
on_terminal 60 -Fn 'pid$target:a.out:name_*:entry,pid$target:a.out:name_*:return' -c ./names
fits 60
same "$(grep -c '^ *[0-9]*  *[-<][->-] name_of.*\.\.' out)" 4 "names with -F"
grep -q "^ *[0-9]*      -> $n30" out || fail "the short name with -F"

# Keys: a column is 50 wide, narrower where several do not fit.
keys='@one[probefunc] = count(); @two[probefunc, "x", 7] = count(); @three[probefunc] = quantize(1); @four[probefunc, probefunc] = sum(5)'
on_terminal 80 -qn "$t { $keys; }" -c ./names
fits 80
grep -q "^  $(echo $n90 | cut -c 1-59)..  *1\$" out || fail "one key"
grep -q "^  $(echo $n60 | cut -c 1-47)..  x  *7  *1\$" out || fail "three keys"
grep -q "^  $(echo $n90 | cut -c 1-76)..\$" out || fail "the key before a histogram"
grep -q "^  $n60 *\$" out || fail "the key before a histogram, which fits"
grep -q "^  $n30  $n30  *5\$" out || grep -q '^  name_of_thirty_character\S*\.\.  name_of_thirty_characte\S*\.\.  *5$' out || fail "two long keys"
on_terminal 201 -qn "$t { $keys; }" -c ./names
grep -qF .. out && fail "cut on a wide terminal"
on_terminal 80 -qx agghist -x aggpack -n "$t { @[probefunc] = count(); @b[probefunc, 1] = quantize(pid & 1); }" -c ./names
fits 80
same "$(grep -c '^ *name_of.*\.\. |@' out)" 3 "names before bars"
grep -q '^ *name_of.*\.\. .* : *[_xX].* : ' out || fail "names of aggpack: $(cat out)"

# A tab in a key does not move what follows.
on_terminal 80 -qn 'BEGIN { @["a\tb", 1] = count(); @["abc", 22] = count(); exit(0); }'
same "$(tr -s ' ' <out | paste -sd/)" '/ a\tb 1 1/ abc 22 1' "keys with a tab"
fits 80
same "$(awk 'NF { print length() }' out | uniq | wc -l)" 1 "lengths of lines"
"$DTRACE" -qn 'BEGIN { @["a\tb"] = count(); exit(0); }' 2>err | grep -q '^  a	b ' || fail "a tab into a pipe"

on_terminal 100 -qx agghist -n "$t { @[probefunc] = sum(123456789012345678); }" -c ./names
fits 100

# Without a terminal, and on one that does not say how wide it is.
whole() {
	grep -q " $n90:entry *data" out || fail "$1: the name of a record"
	grep -q "^  $n90  *1\$" out || fail "$1: a key"
}
program="$t { trace(\"data\"); @[probefunc] = count(); }"
on_terminal 0 -n "$program" -c ./names
whole "no size"
on_terminal 80 -o file -n "$program" -c ./names
mv file out
whole "-o"
"$DTRACE" -n "$program" -c ./names 2>err | cat >out
whole "a pipe"

# Bars are shorter on a narrow terminal, and 16 wide at least.
for columns in 67 50 44; do
	on_terminal $columns -qn 'BEGIN { @ = quantize(3); @ = quantize(-3); @b = lquantize(5, 0, 10, 1); exit(0); }'
	fits $columns
	same "$(grep -c ' -* Distribution -* ' out)" 2 "heads on $columns columns"
	grep -q "^ *5 |@\{$(((columns - 28) / 2 * 2))\} 1" out || fail "the bar on $columns columns"
done
on_terminal 55 -qx agghist -n "$t { @[probefunc] = count(); }" -c ./names
fits 55
