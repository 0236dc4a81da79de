# What: dtruss shows each call of a process with paths, bytes, result and error, and asks for a process.  Needs: btf.
. "$LIB"
tool dtruss -c "$TRIGGERS/deeds open 3 miss 2 read 1"
same "$(grep -c ' openat(-100, "deed", 0x0) = [0-9][0-9]*$' out)" 3 "files opened"
same "$(grep -c ' openat(-100, "no-deed", 0x0) = -2 ENOENT$' out)" 2 "files that are missing"
same "$(awk '$1 == "openat" && NF == 2 { print $2 }' out)" 6 "the table"
awk '/ openat\(/ && !($2 > 0 && $2 >= $3 && $3 > 0) { exit 1 }' out || fail "times"
printf 'first\tline\n' >file
tool dtruss -c "dd if=file of=/dev/null status=none"
contains ' read([0-9]*, "first\\tline\\n", [0-9]*) = 11$'
contains ' write(1, "first\\tline\\n", 11) = 11$'
trace -s dtruss
same "$status" 1 "status without a process"
contains '^dtruss needs -p PID or -c COMMAND$'
