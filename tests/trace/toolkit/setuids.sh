# What: setuids shows each change of a user with the numbers.  Needs: btf.
. "$LIB"
tool setuids -c "$TRIGGERS/deeds user 4"
same "$(awk '$2 == 0 && $4 == "deeds" && $5 == "setresuid" && $6 == 65534 && $7 == 65534 && $8 == 65534 && $9 == "-"' out | wc -l)" 4 "calls"
contains '^ *4 calls$'
command -v python3 >python || exit 0
tool setuids -c "$(cat python) -S -c 'import os; os.setresuid(-1, 4000000000, -1)'"
contains ' setresuid  *-1 4000000000 -1  *-$'
