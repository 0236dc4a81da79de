# What: tcpconnect shows connections that a process makes and those that are refused, with both ends.  Needs: btf.
. "$LIB"
own_address
tool tcpconnect -c "$TRIGGERS/connects $address 5 3"
port=$(counted port)
same "$(awk -v a="$address" -v p="$port" '$3 == "connects" && index($4, a ":") == 1 && $5 == a ":" p && $6 > 0 { n[$7]++ } END { print n["made"], n["refused"] }' out)" "5 3" "connections"
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 8 "lines"
contains '^ *5 connections made$'
contains '^ *3 connections refused$'
for value in -1 65536 word; do
	tool_misused "tcpconnect: -P takes a number from 0 to 65535, not '$value'" -s tcpconnect -P "$value"
done
