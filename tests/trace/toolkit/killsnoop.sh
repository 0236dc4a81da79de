# What: killsnoop shows each signal that a process sends to its children: name, target, error.  Needs: btf.
. "$LIB"
tool killsnoop -c "$TRIGGERS/deeds kill 5"
same "$(awk '$4 == "deeds" && $5 == "SIGTERM" && $6 > $3 && $7 == "-"' out | wc -l)" 5 "signals"
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 5 "lines"
contains '^deeds  *SIGTERM  *5$'
tool killsnoop -c "sh -c 'kill -0 999999999 2>/dev/null; kill -USR1 \$\$ ; true'"
contains ' sh  *0  *999999999 ESRCH$'
contains ' sh  *SIGUSR1 '
