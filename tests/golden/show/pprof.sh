# Profiles for pprof: addresses of calls, mappings of files, inlined functions as lines of one location, keys as labels.
here=$(dirname "$0")
pprof() { "$DTRACE" --show=pprof "$@"; }
people() { python3 "$here/profile.py"; }
begin='{"type":"start","version":1,"wall_offset":"1000000000000000000","command":["/sbin/dtrace","-n","x"],"aggregations":[{"name":"a","function":"sum","key":["ustack()","execname"],"value":"arg0","unit":"us"}]}'
end='{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}'
# frame ADDRESS MORE - of a file that is mapped at 0x7000000
frame() { printf '{"address":"0x%x","module":"libx.so","file_offset":%d,"build_id":"beef"%s}' "$(($1))" "$(($1 - 0x7000000))" "$2"; }
row() { printf '{"type":"aggregation","time":5000000000,"to":5000000000,"key":[%s,"%s"],"values":[{"name":"a","function":"sum","from":2000000000,"value":%s}]}\n' "$1" "$2" "$3"; }
inlined=',"symbol":"outer","offset":3,"file":"x.c","line":30,"found":"table","inlined":[{"symbol":"innermost","file":"x.h","line":1},{"symbol":"inner","file":"x.c","line":20}]'
{
	printf '%s\n' "$begin"
	row "{\"ustack\":[$(frame 0x7001234 ',"symbol":"leaf","offset":4'),$(frame 0x7002345 "$inlined"),$(frame 0x7009999 ',"found":"pointer"'),$(frame 0x7000001 ',"symbol":"handler","offset":0,"found":"signal"')],\"pid\":1}" web 7
	row "{\"ustack\":[$(frame 0x7002345 "$inlined"),$(frame 0x7009999 ',"found":"pointer"')],\"pid\":1,\"truncated\":true}" db '"18446744073709551615"'
	row '{"stack":[{"address":"0xffffffff81000010","module":"vmlinux","symbol":"inner"},{"address":"0xffffffff81000020","module":"vmlinux","symbol":"outer"}]}' 'd\\"b' 1
	row '{"ustack":[],"pid":3}' idle 2
	printf '%s\n' "$end"
} >run
echo "== places"
pprof run | people
echo "== the run of all kinds"
pprof "$here/stacks.json" 2>/dev/null | people
echo "== the same twice"
pprof run >one
pprof run | cmp - one && echo same
echo "== records"
printf '%s\n' '{"type":"record","data":[{"action":"trace","values":[1]},{"action":"ustack","values":[{"ustack":[{"symbol":"b","module":"m"}],"pid":4}]}]}' "$end" | pprof | people
echo "== none"
echo "$end" | pprof
