#!/bin/sh
# same.sh [-k FOLDER] - two builds in two folders, the second one where programs see another <sys/sdt.h>, are identical
#
# What make install puts below DESTDIR is compared byte by byte; then make uninstall leaves nothing of it.  As root (a mount of
# its own over /usr/include).  Two whole builds, minutes.  -k: keep all in FOLDER.
. "$(dirname "$0")/begin"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

copy() { # FOLDER
	mkdir -p "$1" && (cd "$checkout" && git ls-files -z --cached --others --exclude-standard | tar c --null --ignore-failed-read -T - 2>/dev/null) | tar x -C "$1" || fail "no copy of the sources"
}

build() { # FOLDER INSTALLED
	make -C "$1" -s -j2 REVISION=same DESTDIR="$2" PREFIX=/usr install >"$2.log" 2>&1 || fail "make: $(tail -n 5 "$2.log")"
}

for folder in one a-longer/name; do
	copy "$work/$folder"
done
make_installed="make -s -j2 REVISION=same PREFIX=/usr install"
CCACHE_DISABLE=1 $make_installed -C "$work/one" DESTDIR="$work/installed" >"$work/log" 2>&1 || fail "make: $(tail -n 5 "$work/log")"

# A header that no build survives which includes it.
sys=/usr/include/$(gcc -print-multiarch)/sys
mkdir "$work/other"
cat >"$work/second.sh" <<W
mount -t tmpfs none "$work/other" && mkdir "$work/other/files" "$work/other/work" &&
	echo '#error "another sys/sdt.h"' >"$work/other/files/sdt.h" &&
	mount -t overlay -o "lowerdir=$sys,upperdir=$work/other/files,workdir=$work/other/work" none "$sys" || exit 77
CCACHE_DISABLE=1 $make_installed -C "$work/a-longer/name" DESTDIR="$work/installed2"
W
unshare -m sh "$work/second.sh" >"$work/log" 2>&1
case $? in
0) ;;
77) fail "no overlay of $sys: $(tail -n 1 "$work/log")" ;;
*) fail "the second make: $(tail -n 5 "$work/log")" ;;
esac
diff -r --no-dereference "$work/installed" "$work/installed2" || fail "the builds differ"
[ -f "$work/installed/usr/include/sys/sdt.h" ] || fail "no <sys/sdt.h>"
echo "same: $(find "$work/installed" ! -type d | grep -c .) files of two builds are identical"

echo foreign >"$work/installed2/usr/include/sys/sdt.h"
for installed in installed installed2; do
	make -s -C "$work/one" PREFIX=/usr DESTDIR="$work/$installed" uninstall >"$work/log" 2>&1 || fail "make uninstall: $(tail -n 5 "$work/log")"
done
left=$(cd "$work" && find installed installed2 ! -type d; find "$work/installed" -name '*dtrace*')
[ "$left" = installed2/usr/include/sys/sdt.h ] || fail "left by make uninstall: $left"
echo "same: make uninstall leaves nothing but the <sys/sdt.h> of others"
