# What: dtruss shows each call of a process with paths, bytes, result and error, and asks for a process.  Needs: btf python3.
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
cat >paths.py <<'END'
import os
os.rename("file", "moved")
os.link("moved", "second")
os.symlink("moved", "third")
END
tool dtruss -c "python3 -S paths.py"
contains ' rename("file", "moved") = 0$\| renameat2*(-100, "file", -100, "moved") = 0$'
contains ' link("moved", "second") = 0$\| linkat(-100, "moved", -100, "second") = 0$'
contains ' symlink("moved", "third") = 0$\| symlinkat("moved", -100, "third") = 0$'
trace -s dtruss
same "$status" 1 "status without a process"
contains '^dtruss needs -p PID or -c COMMAND$'
