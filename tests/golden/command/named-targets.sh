# What: -x target: values that are none, users that are not there; tick, which is not tested, has a program of its own then.
try() {
	echo "$ $*"
	"$DTRACE" -e "$@" 2>&1
}
for value in '' unit unit: :x pod:x UNIT:x; do
	try -x "target=$value" -n BEGIN
done
try -x target=user:no-such-user -n BEGIN
try -x target=user:1x -n BEGIN
try -n '#pragma D option target=group:x
	BEGIN'
groups() {
	echo "$ $*"
	"$DTRACE" -e -xdump=plan "$@" -n 'tick-1s, profile-97, profile-1s { @ = count(); }' 2>&1 | grep '^program'
}
groups
groups -x target=user:0
groups -x target=user:0 -x target=exec:sh
