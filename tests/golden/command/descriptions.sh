# What: how many fields each letter takes, globs, macros in fields; no program, a program without probes; scripts from standard input.
try() {
	echo "$ dtrace $*"
	"$DTRACE" "$@" </dev/null
	echo "status $?"
}
try -l -P dtrace:
try -l -m a:b:c
try -l -f a:b:c:d
try -l -n a:b:c:d:e
try -l -n 'dtrace:::[A-E]*' -n 'dtrace:::[!A-E]*' -n 'dtrace:::?N\D' -n 'dtrace:::begin'
try -l -m dtrace:no_module -f dtrace::no_function
try -l -P plockstat -P pi
try -l -P nfs4999999
try -l -n BEGIN -n BEGIN -n 'END { } BEGIN { }'
try -l -n '$1:::$2N,${1}:::$$3' dtrace E BEGIN
try -l -n '$1:::'
try -l -i 2-3 -i 1
try -l -i -3
try -q
try -q -c true
try -x empty -n ''
try -q -n ' '
try -e -s -
echo 'BEGIN { nothing; }' | "$DTRACE" -e -s -
echo 'BEGIN { nothing; }' | "$DTRACE" -e -s /dev/stdin
echo 'BEGIN { trace(X); }' | "$DTRACE" -e -C -DX=3 -s - && echo "preprocessed standard input"
"$DTRACE" -32 -64 -e -n BEGIN && echo "the last of -32 and -64 counts"
# The title is the descriptions: paths and names in quotes are not cut.
try -x executor=interpreter -x zdefs -n 'pid*:/no/such/lib.so:f:entry,BEGIN { trace(1); }' -n 'pid*:/no/lib:"a::operator/(x; {)":entry/pid/' -n ':::BEGIN/pid/'
