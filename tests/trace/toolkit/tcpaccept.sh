# What: tcpaccept shows the connections that a process accepts, with both ends.  Needs: btf.
. "$LIB"
own_address
tool tcpaccept -c "$TRIGGERS/connects $address 6 2"
port=$(counted port)
same "$(awk -v a="$address" -v p="$port" '$3 == "connects" && $4 > 2 && $5 == a ":" p && index($6, a ":") == 1 && $7 == 0' out | wc -l)" 6 "connections"
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 6 "lines"
contains '^ *6 connections accepted$'
tool tcpaccept -c "$TRIGGERS/connects $address 6 2" -P 1
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 0 "lines of another port"
for value in -1 65536 word; do
	tool_misused "tcpaccept: -P takes a number from 0 to 65535, not '$value'" -s tcpaccept -P "$value"
done
