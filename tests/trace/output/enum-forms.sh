# What: enumerators and their numbers in JSON, as the schema says; names in a picture's table.  Needs: jsonschema.
. "$LIB"
cat >enum.d <<'D'
enum color { RED, GREEN = 5 };
BEGIN { trace((enum color)5); printf("%s", (enum color)3); @["x", (enum color)0] = count(); exit(0); }
D
trace -x oformat=json -s enum.d
same "$status" 0 status
check_json
contains '"values":\[{"enumerator":"GREEN","number":5}\]' out
contains '"text":"3","values":\[3\]' out
contains '"key":\["x",{"enumerator":"RED","number":0}\]' out
trace -x oformat=stream -s enum.d
same "$status" 0 status
contains '{"enumerator":"RED","number":0}' out
trace -x oformat=json -x enumnames=off -s enum.d
contains '"key":\["x",0\]' out
trace -x oformat=csv -s enum.d
same "$status" 0 status
contains ',x,RED,1' out
