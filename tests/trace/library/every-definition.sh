# What: each constant and each translated member of our libraries compiles on this kernel and
# passes its verifier.  Needs: btf.
. "$LIB"
root=${LIB%/tests/trace/lib.sh}
libraries=$(ls "$root"/dlib/*.d "$root/dlib/$(uname -m)"/*.d)
# Those of virtual CPUs are left out where the kernel has not loaded their types.
[ -d /sys/module/kvm ] || libraries=$(echo "$libraries" | grep -v -e '/kvm\.d$' -e '/vmregs\.d$')
# shellcheck disable=SC2086 # our own names
cat $libraries | awk '
/^translator/ {
	output = $0
	sub(/^translator */, "", output)
	sub(/ *<.*/, "", output)
	sub(/^translator [^<]*< */, "")
	input = $0
	sub(/ *> *\{.*/, "", input)
	sub(/[A-Za-z_0-9]+$/, "", input)
	inside = !/ };$/
	# in one line
	for (rest = substr($0, index($0, "{")); !inside && match(rest, /[a-z_0-9]+ = /); rest = substr(rest, RSTART + RLENGTH))
		printf "syscall:::entry /arg9 == 1/ { trace(xlate <%s>((%s)arg0).%s); }\n", output, input,
			substr(rest, RSTART, RLENGTH - 3)
	next
}
/^};/ { inside = 0 }
inside && /^\t[a-z_0-9]+ =/ {
	member = $1
	if (member ~ /^pr_(start|time|ctime)$/)
		member = member ".tv_nsec"
	if (member == "cpu_info")
		member = "cpu_info.pi_state"
	if (member == "pr_lwp")
		member = "pr_lwp.pr_lwpid"
	printf "BEGIN /arg9 == 1/ { trace(xlate <%s>((%s)arg0).%s); }\n", output, input, member
}
/^inline/ && !/\[/ {
	match($0, /[A-Za-z_0-9]+ =/)
	name = substr($0, RSTART, RLENGTH - 2)
	if (name == "solaris_hrestime")
		name = name ".tv_nsec"
	if (name !~ /^cur/)
		printf "BEGIN /arg9 == 1/ { trace(%s); }\n", name
}
END { print "BEGIN { printf(\"%d clauses\\n\", epid - 1); exit(0); }" }' >all.d
must_trace -s all.d
[ "$(sed 's/ .*//' out)" -gt 500 ] || fail "few definitions were found: $(cat out)"
