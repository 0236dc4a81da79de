# What: files that -A, -h and -G write replace the old ones only when they are whole; on a full disk the old ones stay, and no empty one appears. Needs: unshare.
. "$LIB"
own_pins
echo 'provider shop { probe sale(int); };' >shop.d
program='BEGIN { n++; }'

# whole FILE ARGUMENT... - it is written with its old permissions and no other name is left
whole() {
	file=$1
	shift
	"$DTRACE" "$@" -o "$file" 2>err || fail "$*: $(cat err)"
	[ -s "$file" ] || fail "$file is empty"
}
echo old >shop.h
chmod 604 shop.h
whole shop.h -h -s shop.d
same "$(stat -c %a shop.h)" 604 "permissions of the header"
ln -s shop.h link.h
echo old >shop.h
whole link.h -h -s shop.d
[ -L link.h ] || fail "the link was replaced"
grep -qx old shop.h && fail "the file of the link is the old one"
"$DTRACE" -h -s shop.d -o /dev/stdout | grep -q 'define SHOP_SALE' || fail "a pipe"
"$DTRACE" -h -s shop.d -o /dev/stdout >redirected
grep -q 'define SHOP_SALE' redirected || fail "standard output, a file"
mkfifo fifo
cat fifo >read &
"$DTRACE" -h -s shop.d -o fifo || fail "a fifo"
wait
grep -q 'define SHOP_SALE' read || fail "what a fifo got"
"$DTRACE" -h -s shop.d -o /dev/null || fail "the null device"
[ -c /dev/null ] || fail "the device is gone"
same "$(ls shop.h.* 2>/dev/null)" "" "files beside it"

mkdir small
mount -t tmpfs -o size=16k tmpfs small || skip "no tmpfs can be mounted here"
for file in shop.h shop.o saved; do echo "# old" >small/$file; done
head -c 64k /dev/zero >small/filler 2>/dev/null
# full FILE ARGUMENT... - nothing is changed
full() {
	file=$1
	shift
	"$DTRACE" "$@" -o "small/$file" 2>err && fail "$*: status 0"
	grep -q 'No space left on device' err || fail "$*: $(cat err)"
}
full shop.h -h -s shop.d
full shop.o -G -s shop.d
full saved -A -n "$program"
full new.h -h -s shop.d
full new -A -n "$program"
full new.log -qn 'tick-1ms { printf("x\n"); }'
same "$(ls small | tr '\n' ' ')" "filler saved shop.h shop.o " "files on the full disk"
rm small/filler
"$DTRACE" -A -n "$program" -o small/saved 2>err || fail "$(cat err)"
cp small/saved earlier
head -c 64k /dev/zero >small/filler 2>/dev/null
full saved -A -n "$program"
same "$(cat small/saved)" "$(cat earlier)" "what an earlier -A saved, on the full disk"
rm small/filler
"$DTRACE" -A -o small/saved 2>err || fail "$(cat err)"
contains 'cleaned up old anonymous enabling' err
for file in shop.h shop.o saved; do same "$(cat small/$file)" "# old" "$file on the full disk"; done

# -A with a file of its own leaves the system alone.
mkdir etc
mount --bind etc /etc || skip "cannot mount over /etc here"
"$DTRACE" -x anonfile=./mine -A -n "$program" 2>err || fail "$(cat err)"
contains 'saved anonymous enabling in ./mine' err
same "$(find etc -type f)" "" "files below /etc"
