# What: an absolute path of pid* is the file that each process sees there, links followed in its own root, also one that was replaced or deleted since; -lv names the file and its build id; 200 places in a file are enough unless -x pidmax allows more.  Needs: uprobe cc unshare.
# Executors: kernel (every process).
. "$LIB"
name=libpath$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
{
	echo '#include <unistd.h>'
	for i in $(seq 150); do echo "long path_f$i(long a) { return a + $i; }"; done
	echo 'int path_wait(void) { return sleep(600); }'
} >library.c
printf '#include <dlfcn.h>\nint main(int n, char **v) { return ((int (*)(void))dlsym(dlopen(v[1], RTLD_NOW), "path_wait"))(); }\n' >loads.c
gcc -O1 -shared -fPIC -Wl,--build-id -o "$name.so.1.2" library.c && gcc -o loads loads.c || fail "cannot compile"
ln -s "$PWD/$name.so.1.2" "$name.so.1"
mkdir inside
./loads "$PWD/$name.so.1" & a=$!
# The link leads to a copy in this namespace.
unshare -m --propagation private sh -c "mount -t tmpfs none inside && cp loads $name.so.1.2 inside && ln -s $PWD/$name.so.1.2 inside/$name.so.1 && mount --bind inside . && cd $PWD && exec ./loads $PWD/$name.so.1" & b=$!
trap 'kill $a $b 2>/dev/null' EXIT
maps_it() { grep -q "$name" "/proc/$1/maps" 2>/dev/null; }
until_true 20 maps_it $a || fail "the program does not run"
until_true 20 maps_it $b || fail "the program in the namespace does not run"

# both PATH - two rows
both() {
	must_trace -ln "pid*:$1:path_f7:entry"
	same "$(grep -c "^ *[0-9]* *pid\($a\|$b\) *$name.so.1.2 *path_f7 entry\$" out)" 2 "rows of $1"
}
both "$PWD/$name.so.1"
both "$PWD/$name.so.1.2"
must_trace -lvn "pid*:$PWD/$name.so.1:path_f7:entry"
id=$(readelf -n "$name.so.1.2" | sed -n 's/.*Build ID: //p')
contains "^	File: $PWD/$name.so.1.2, build id $id\$"
must_trace -lv -x oformat=json -n "pid*:$PWD/$name.so.1:path_f7:entry"
contains "\"file\":\"$PWD/$name.so.1.2\",\"build_id\":\"$id\""
cp "$name.so.1.2" new
mv new "$name.so.1.2"
both "$PWD/$name.so.1"
rm "$name.so.1"
both "$PWD/$name.so.1.2"
rm "$name.so.1.2"
both "$PWD/$name.so.1.2"
trace -n "pid*:$PWD/inside/$name.so.1.2:path_f7:entry"
contains "there is no file $PWD/inside/$name.so.1.2" err

trace -n "pid*:$name:path_f*: { exit(0); }"
contains "pid\*:$name:path_f\*: means more than 200 places in one file, in each process that maps it (-x pidmax=N allows more)" err
must_trace -x pidmax=100000 -n "pid*:$name:path_f*: { @ = count(); } tick-200ms { exit(0); }"
