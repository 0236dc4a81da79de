# What: execsnoop shows the programs that a process executes, with arguments and errors, and sums.  Needs: btf.
. "$LIB"
tool execsnoop -c "$TRIGGERS/lives exec 3 failed 2"
same "$(grep -c ' 0 true$' out)" 3 "programs"
same "$(grep -c ' 2 /nonexistent/program$' out)" 2 "failed attempts"
same "$(sed -n 's/^ *\([0-9]\) programs executed$/\1/p; s/^ *\([0-9]\) attempts failed$/\1/p' out | tr '\n' ' ')" "3 2 " "sums"
same "$(awk 'NR > 1 && NF == 6' out | wc -l)" 5 "lines"
tool execsnoop -c "$TRIGGERS/lives exec 3 failed 2" nonexistent
same "$(awk 'NR > 1 && NF == 6' out | wc -l)" 2 "lines with the text"
# a word is the pattern, not a target: nothing of other processes
parent=$(awk 'NR == 2 { print $3 }' out)
awk -v parent="$parent" 'NR > 1 && NF == 6 && $3 != parent { exit 1 }' out || fail "a process of others"
# Arguments are whole up to strsize.
long=$(printf 'x%.0s' $(seq 200))
tool execsnoop -c "sh -c 'exec /bin/true $long'"
same "$(awk '$6 == "/bin/true" { print length($7) }' out)" 200 "characters of the second argument"
