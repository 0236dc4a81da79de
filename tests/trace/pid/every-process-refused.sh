# What: pid* needs a library's name or an absolute path: a.out, every file, relative paths, addresses are refused with words, with -Z and -l, too; only "pid*" means every process; -l without privileges lists what may be read.  Needs: cc setpriv.
# Executors: kernel process.
. "$LIB"
refused() {
	for option in -n -Zn -ln; do
		trace "$option" "$1"
		same "$status" 1 "status of $option $1"
		contains "pid\* means every process that maps a library, which is named, or given by an absolute path, but $2" err
	done
}
refused 'pid*:a.out:main:entry' 'a.out is another program in each'
refused 'pid*:::entry' 'no module means every file'
refused 'pid*:*:main:entry' '\* means every file'
refused 'pid*:?*:main:entry' '?\* means every file'
refused 'pid*:[a-z]*:main:entry' '\[a-z\]\* means every file'
refused 'pid*:"lib/libx.so":f:entry' 'lib/libx.so is not an absolute path'
refused 'pid*:libx.so:-:401000' 'an address is that of one process'
trace -n 'pid*:libx.so:f:enrty'
contains "'enrty' is an invalid probe name: it may be entry, return, or an offset" err
trace -n 'pid**:libx.so:f:entry'
same "$status" 1 "status of pid**"
trace -n 'p*d*:libx.so:f:entry'
same "$status" 1 "status of p*d*"

# Without privileges: this user's processes.
name=libseen$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
echo 'int seen(int a) { return a; }' >library.c
printf '#include <unistd.h>\nint seen(int);\nint main(void) { seen(1); return sleep(600); }\n' >program.c
gcc -shared -fPIC -o "$name.so" library.c && gcc -o program program.c "$name.so" -Wl,-rpath,"$PWD" || fail "cannot compile"
cp "$DTRACE" dtrace # in a folder that the user may read
chmod 755 . dtrace
setpriv --reuid 65534 --regid 65534 --clear-groups ./program & a=$!
./program & b=$!
trap 'kill $a $b 2>/dev/null' EXIT
both() { has_executed $a program && has_executed $b program; }
until_true 10 both || fail "the programs do not run"
must_trace -ln "pid*:$name:seen:entry"
same "$(grep -c seen out)" 2 "processes for root"
setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all ./dtrace -ln "pid*:$name:seen:entry" >out 2>err || fail "status $?"
same "$(grep -c seen out)" 1 "processes for a user"
contains " pid$a  *$name.so "
exit 0
