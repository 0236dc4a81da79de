# What: a saved run on a terminal: rates, folded rows of each function, histograms, stacks, wide and foreign characters. Needs: tmux.
. "$LIB"
mux() { tmux -L "saved$$" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null' EXIT
cat >run.json <<'J'
{"type":"start","version":1,"wall_offset":"1","command":["dtrace"]}
{"type":"snapshot","time":1000000000,"printing":1}
{"type":"aggregation","time":1000000000,"printing":1,"key":["sh",1],"values":[{"name":"c","function":"count","value":10}]}
{"type":"end","printing":1}
{"type":"snapshot","time":3000000000,"printing":2}
{"type":"aggregation","time":3000000000,"printing":2,"key":["sh",1],"values":[{"name":"c","function":"count","value":30}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["sh",2],"values":[{"name":"c","function":"count","value":5}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["cat",10],"values":[{"name":"c","function":"count","value":"18446744073709551615"}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",1],"values":[{"name":"v","function":"avg","value":10,"count":1,"sum":10}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",2],"values":[{"name":"v","function":"avg","value":40,"count":3,"sum":120}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",1],"values":[{"name":"m","function":"min","value":-5}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",2],"values":[{"name":"m","function":"min","value":7}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",1],"values":[{"name":"s","function":"stddev","value":3,"count":1,"sum":1}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["a",2],"values":[{"name":"s","function":"stddev","value":4,"count":1,"sum":1}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["日本語","\u001b[31mred\u202e"],"values":[{"name":"q","function":"quantize","buckets":[{"least":4,"most":7,"count":4},{"least":16,"most":31,"count":1}]}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["日本語",{"text":"caf\ufffd","bytes":"636166e9"}],"values":[{"name":"q","function":"quantize","buckets":[{"least":8,"most":15,"count":3}]}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":[{"stack":[{"address":"0x1","module":"vmlinux","symbol":"leaf"},{"address":"0x2","module":"vmlinux","symbol":"root"}]},1],"values":[{"name":"k","function":"sum","value":3}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["x"],"values":[{"name":"j","function":"count","value":3},{"name":"l","function":"max","value":4}]}
{"type":"aggregation","time":3000000000,"printing":2,"key":["y"],"values":[{"name":"j","function":"count","missing":true},{"name":"l","function":"max","value":9}]}
{"type":"end","printing":2}
{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}
J
mux new-session -d -x 80 -y 24 "env LANG=C.UTF-8 LC_ALL=C.UTF-8 '$DTRACE' --show=top run.json; sleep 100" || fail "no tmux"
screen() { mux capture-pane -p | sed 's/ *$//' >screen; }
# must_be LINES - the screen from its second line on, without the last and empty ones; blanks count once
is_view() { screen && [ "$(sed '1d; $d; /^$/d' screen | tr -s ' ')" = "$1" ]; }
must_be() { until_true 20 is_view "$(printf '%s\n' "$1" | tr -s ' ')" || { cat screen; fail "not the screen: $1"; }; }
type_keys() { for key; do mux send-keys "$key"; done; }

must_be '@c = count()  1 of 7  3 rows
key 1   key 2      count v         /s
cat     10        18446.7P    9223.4P
sh      1               30       10.0
sh      2                5       2.50'
type_keys f
must_be '@c = count()  1 of 7  2 rows  folded to 1 key
key 1      count v         /s
cat       18446.7P    9223.4P
sh              35       12.5'
type_keys Tab f
must_be '@v = avg()  2 of 7  1 row  folded to 1 key
key 1          avg v
a                 32'
type_keys Tab f
must_be '@m = min()  3 of 7  1 row  folded to 1 key
key 1          min v
a                 -5'
type_keys Tab f
must_be '@s = stddev()  4 of 7  1 row  folded to 1 key
key 1       stddev v
a                  -'
type_keys Tab
must_be '@q = quantize()  5 of 7  2 rows
key 1   key 2        count v         /s        p50        p99 values
日本語  �[31mred           5                     6         30 █ ▂
日本語  caf�               3                    12         15 █'
type_keys f Down Enter
must_be '@q = quantize(): 8 values
             4 .. 7                       4 ################################
             8 .. 15                      3 ########################
            16 .. 31                      1 ########
key 1: 日本語'
type_keys q Tab Down Enter
must_be '@k = sum(): 3
key 1, innermost first
    vmlinux`leaf
    vmlinux`root
key 2: 1'
type_keys q Tab
must_be '@j, @l  7 of 7  2 rows
key          @j v         /s         @l
x               3                     4
y               -                     9'
type_keys '>' '>'
must_be '@j, @l  7 of 7  2 rows
key          @j           /s       @l v
y               -                     9
x               3                     4'
type_keys / X Enter
must_be '@j, @l  7 of 7  1 row  /X
key          @j           /s       @l v
x               3                     4'
