# What: plockstat* means each process that maps the C library which the description names, by a name or a path: several at once, of two files, those that start later; their probes fire as often as in one process, and the files of others are left alone.  Needs: uprobe btf cc python3.
# Executors: kernel (every process).
. "$LIB"
# Private copies with their linker, of a name that nobody else has: never the system's library.
name=libcopied$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
libc=$(ldd "$TRIGGERS/locks" | awk '/libc\.so/ { print $3 }')
linker=$(ldd "$TRIGGERS/locks" | awk '$1 ~ "^/.*/ld-" { print $1 }')
cp -L "$linker" linker
for d in one two; do
	mkdir $d
	cp -L "$libc" "$d/$name.so"
	ln -s "$name.so" "$d/libc.so.6"
	${CC:-cc} -O2 -D_GNU_SOURCE -I"$checkout/tests/trace/triggers" -o locks-$d "$checkout/tests/trace/triggers/locks.c" -pthread \
		-Wl,--dynamic-linker="$PWD/linker" -Wl,-rpath,"$PWD/$d" || fail "no program"
done
./locks-one 1 >alone || fail "the copies cannot be used here: $(cat alone)"

# Of a path, which nobody has mapped yet: two processes, one after the other.
cat >test.d <<E2
plockstat*:$PWD/one/$name.so::mutex-*,plockstat*:$PWD/one/$name.so::rw-* { @[execname, probename, arg1, probeprov == strjoin("plockstat", lltostr(pid))] = count(); }
E2
trace -s test.d -n 'END { printa("%s %s %d %d: %@d\n", @); }' -c 'sh -c "./locks-one 3; ./locks-one 2; ./locks-two 1"'
same "$status" 0 "status"
grep -o 'locks-.*: [0-9]*$' out | sort >all
sort >wanted <<'E2'
locks-one mutex-acquire 0 1: 92
locks-one mutex-acquire 1 1: 5
locks-one mutex-block 0 1: 15
locks-one mutex-blocked 0 1: 5
locks-one mutex-blocked 1 1: 10
locks-one mutex-error 1 1: 5
locks-one mutex-error 110 1: 5
locks-one mutex-error 16 1: 5
locks-one mutex-error 35 1: 5
locks-one mutex-release 0 1: 92
locks-one mutex-release 1 1: 5
locks-one mutex-spin 0 1: 5
locks-one mutex-spun 0 1: 5
locks-one rw-acquire 0 1: 15
locks-one rw-acquire 1 1: 10
locks-one rw-block 0 1: 5
locks-one rw-block 1 1: 5
locks-one rw-blocked 0 1: 5
locks-one rw-blocked 1 1: 5
locks-one rw-error 0 1: 5
locks-one rw-error 1 1: 5
locks-one rw-release 0 1: 15
locks-one rw-release 1 1: 10
E2
cmp -s all wanted || fail "$(diff all wanted)"
timeout 60 "$DTRACE" -n "plockstat*:$PWD/one/$name.so::mutex-block { } BEGIN { exit(0); }" >out 2>err
contains '^dtrace: pid\*: 1 file, mapped by 0 processes, [0-9]* sites ' err

# Of a name: a process that runs, one of a known file, one of a file that comes later; a clause whose values other probes make.
TRIGGER_GATE=$PWD/gate ./locks-one 4 &
waits=$!
trap 'touch gate gate2; kill "$pid" 2>/dev/null' EXIT
until_true 10 grep -qs "/$name.so\$" "/proc/$waits/maps" || fail "the program has not begun"
must_trace -ln "plockstat*:$name::mutex-block,plockstat*:$name.so::mutex-spin"
same "$(grep -c "^ *[0-9]* *plockstat$waits *$name.so *mutex-\(block\|spin\)\$" out)" 2 "rows of the list"
same "$(wc -l <out)" 3 "lines of the list"
background -n "plockstat*:$name::mutex-blocked /args[1]/ { @[execname] = count(); } BEGIN { printf(\"begun\\n\"); }
	tick-100ms, END { printa(\"fired %s %@d\\n\", @); }"
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
fired() { grep -qs "^fired $1 $2\$" out; }
touch gate
until_true 10 fired locks-one 8 || fail "the process that ran"
./locks-one 3
until_true 10 fired locks-one 14 || fail "a later process of a known file"
TRIGGER_GATE=$PWD/gate2 ./locks-two 5 &
later=$!
has_breakpoints() { grep -qs "/$name.so\$" "/proc/$1/maps" && ! text_is_clean "$1" && grep -q "$name" why; }
until_true 10 has_breakpoints $later || fail "the later file is not probed"
touch gate2
until_true 10 fired locks-two 10 || fail "a later file"
wait $later $waits
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
[ ! -s err ] || fail "something on standard error: $(cat err)"

# --- what cannot be meant
trace -n "plockstat*:$name-absent::mutex-block"
same "$status" 1 "status without a file"
contains "no process has mapped $name-absent (a file that is given by its path need not be)" err
trace -n 'plockstat*:a.out::mutex-block'
contains 'a.out is another program in each' err
trace -n "plockstat*:$PWD/linker::mutex-block"
contains "failed to lookup 'pthread_mutex_lock' in module '$PWD/linker'" err
trace -n 'plockstat:::mutex-block'
contains 'or of every process, as in plockstat\*' err
