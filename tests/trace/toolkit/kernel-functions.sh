# What: funccount counts, and funclatency measures, each call that one program makes of functions of the kernel, and nobody else's.  Needs: kprobe btf
. "$LIB"
# Nobody else has a program of this name.
name=t$$
cp "$TRIGGERS/syscalls" "$TRIGGERS/lives" . || fail "no triggers"
mv syscalls "c$name"
mv lives "s$name"
tool funccount fbt vmlinux '__*_sys_getppid' -x "target=exec:c$name" -c "./c$name 57"
awk '$1 == "vmlinux" { rows++; found = $2 ~ /^__(do|x64|arm64)_sys_getppid$/ && $3 == 57 } END { exit !(rows == 1 && found) }' out || fail "57 calls of getppid"
contains '^57 calls$'
# A pattern: of each function as many as of its system call. The start of the program opens files, too, and each of its own counts
# is a write.
tool funccount fbt vmlinux '__*64_sys_[ow]*' -x "target=exec:c$name" -c "./c$name 43"
same "$(awk '$2 ~ /_sys_write$/ { print $3 }' out)" $((43 + $(sort -u counts | grep -c ' 43$'))) "calls of write, by a pattern"
awk '$2 ~ /_sys_openat$/ { found = $3 > 43 && $3 < 60 } END { exit !found }' out || fail "openat"
# 30 sleeps of a millisecond; its functions take at least as long, each time.
tool funclatency fbt vmlinux hrtimer_nanosleep -x "target=exec:s$name" -c "./s$name sleep 30"
awk '$1 == "vmlinux" && $2 == "hrtimer_nanosleep" { exit !($3 == 30 && $4 >= 1000000 && $5 >= $4 && $6 >= 30 * 1000000) }' out || fail "the row"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" 30 "calls in the histogram"
awk '/\|/ && $NF && $1 < 524288 { exit 1 }' out || fail "a sleep of less than a millisecond"
contains '^vmlinux`hrtimer_nanosleep, time in ns:$'
