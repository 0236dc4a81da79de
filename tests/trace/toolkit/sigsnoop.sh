# What: sigsnoop shows each signal with sender and receiver, also those of the kernel.  Needs: btf.
. "$LIB"
tool sigsnoop -c "$TRIGGERS/lives handle 6 segv 2 exit 3"
same "$(awk '$3 == "lives" && $4 == "SIGUSR1" && $5 == $2 && $6 == "lives"' out | wc -l)" 6 "handled signals"
same "$(awk '$3 == "lives" && $4 == "SIGSEGV" && $5 == $2 && $6 == "lives"' out | wc -l)" 2 "faults"
contains '^lives  *SIGUSR1  *lives  *6$'
