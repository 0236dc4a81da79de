# What: stacks of perl, bash, sort and gzip in malloc(), write(2) and profile-997 are whole, and those that libdw finds.  Needs: cc x86_64.
. "$LIB"
# All programs at hand: make check-programs.
grep -q "QEMU TCG" /proc/cpuinfo && skip "an emulated processor: it would take many minutes"
programs=$checkout/tests/programs
timeout 250 "$programs/stacks.sh" -n 40 perl bash sort gzip >out 2>&1 || fail "stacks are not as libdw's"
same "$(grep -c ' 100.00 % whole' out)" 11 "programs and events whose stacks are whole" # gzip calls no malloc()
same "$(grep -c ' matched' out)" 11 "programs and events compared"
exit 0
