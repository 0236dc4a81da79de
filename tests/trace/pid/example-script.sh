# What: the first page of every talk: ./example.d PID prints each call of a function.  Needs: uprobe.
# Executors: kernel (the process is not one of -c or -p).
. "$LIB"
printf '#!%s -qs\n\npid$1::some_function:entry\n{\n\tprintf("some_function(%%d) called\\n", arg0);\n}\nBEGIN { printf("ready\\n"); }\n' "$DTRACE" >example.d
chmod +x example.d
TRIGGER_GATE=$PWD/gate TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/calls" 100 &
target=$!
wait_for_program $target calls
env --default-signal=INT ./example.d "$target" >out 2>err &
pid=$!
until_true 10 grep -qs ready out || { kill "$target"; fail "never started"; }
touch gate
wait "$target"
until_true 5 grep -q '(100)' out || fail "the last call"
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
same "$(grep -c called out)" "$(counted some_function)" calls
seq 1 100 | sed 's/.*/some_function(&) called/' >wanted
grep called out | diff -u wanted - || fail "arguments and order"
