# What: opensnoop shows each file that a process opens, with descriptor and error, by open, openat and openat2.  Needs: btf.
. "$LIB"
tool opensnoop -c "$TRIGGERS/deeds open 5 open-at 3 miss 4" deed
child=$(awk '$7 == "no-deed" { print $3; exit }' out)
same "$(awk -v p="$child" '$3 == p && $4 == "deeds" && $5 >= 3 && $6 == "-" && $7 == "deed"' out | wc -l)" 9 "opened"
same "$(awk -v p="$child" '$3 == p && $4 == "deeds" && $5 == -1 && $6 == "ENOENT" && $7 == "no-deed"' out | wc -l)" 4 "failed"
contains '^ *9 files opened$'
contains '^ *4 attempts failed$'
# without a text all of this process, and nothing of another one
tool opensnoop -c "sh -c 'cat /etc/passwd >/dev/null; exit'"
contains '/libc\.so'
contains ' cat  *3 -  */etc/passwd$'
same "$(awk 'NR > 1 && $7 { print $4 }' out | sort -u | tr '\n' ' ')" "cat sh " "programs that open files"
# by name, in the whole system
trace -s opensnoop -x target=exec:deeds -c "sh -c '$TRIGGERS/deeds miss 2; cat no-deed 2>/dev/null; true'" no-deed
same "$(grep -c ' deeds .* no-deed$' out)" 2 "of the program"
same "$(grep -c ' cat ' out)" 0 "of others"
