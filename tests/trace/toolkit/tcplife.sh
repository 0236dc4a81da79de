# What: tcplife shows both sides of connections on this machine, with process and bytes.  Needs: btf.
. "$LIB"
address=127.$((1 + $$ / 60000 % 250)).$(($$ / 250 % 240)).$((1 + $$ % 250))
tool tcplife -c "$TRIGGERS/connects $address 4 2"
port=$(counted port)
same "$(awk -v p="$address:$port" '$3 == "connects" && $5 == p && $6 == 1000 && $7 == 3000' out | wc -l)" 4 "sides of clients"
same "$(awk -v p="$address:$port" '$3 == "connects" && $4 == p && $6 == 3000 && $7 == 1000' out | wc -l)" 4 "sides of the server"
same "$(awk -v p="$address:$port" '$3 == "connects" && $5 == p && $6 == 0 && $7 == 0' out | wc -l)" 2 "refused ones"
contains '^ *10 connections ended: 16000 bytes sent, 16000 received$'
