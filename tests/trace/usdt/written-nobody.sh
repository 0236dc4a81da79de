# What: dtrace -h and -G work as nobody, in a root without /proc, /sys, /dev and types, and write the same bytes.
# Executors: usual (nothing is traced).
. "$LIB"
mkdir -p root/work
cp "$DTRACE" root/dtrace
for library in $(ldd "$DTRACE" | grep -o '/[^ ]*'); do
	mkdir -p "root$(dirname "$library")" && cp "$library" "root$library"
done
cat >root/work/app.d <<'D'
typedef struct item { int number; } item_t;
provider app { probe go(item_t *item, const char *s); };
D
chmod 777 root/work
chmod 755 . root
"$DTRACE" -h -s root/work/app.d -o app.h || fail "no header"
"$DTRACE" -G -s root/work/app.d -o app.o || fail "no object"
chroot --userspec=65534:65534 root /bin/true 2>/dev/null
[ $? = 125 ] && skip "no chroot here"
chroot --userspec=65534:65534 root /dtrace -h -s /work/app.d -o /work/app.h >out 2>err || fail "as nobody"
[ -s err ] && fail "something on standard error"
cmp root/work/app.h app.h || fail "other bytes"
chroot --userspec=65534:65534 root /dtrace -G -s /work/app.d -o /work/app.o >out 2>err || fail "as nobody: -G"
[ -s err ] && fail "something on standard error"
cmp root/work/app.o app.o || fail "other bytes of the object"
same "$(stat -c %u root/work/app.h)" 65534 "owner"
exit 0
