#!/bin/sh
# packages.sh [-k FOLDER] - our Debian packages in a root made of Debian's: installed, used, upgraded, removed, next to and after
# systemtap-sdt-dev in both orders; and what lintian says of them
#
# Needs mmdebstrap, and the mirror of this machine (100 MB); lintian, where it is installed.  Some minutes, as root.  -k: keep the root.
. "$(dirname "$0")/begin"
mounts=
clean_up() {
	for mount in $mounts; do
		umount -l "$root$mount"
	done
	[ -n "$kept" ] || rm -rf --one-file-system "$work"
}
root=$work/root
trap clean_up EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

(cd "$checkout" && make --no-print-directory -s deb) >"$work/made" 2>&1 || fail "make deb: $(cat "$work/made")"
if command -v lintian >/dev/null; then
	rm -rf "$work/source" && mkdir -p "$work/source/dtrace"
	(cd "$checkout" && git ls-files -z | tar c --null -T -) | tar x -C "$work/source/dtrace"
	(cd "$work/source" && dpkg-source --build dtrace) >"$work/log" 2>&1 || fail "dpkg-source: $(cat "$work/log")"
	lintian --no-tag-display-limit "$checkout"/build/deb/*.changes "$work"/source/*.dsc >"$work/lintian" 2>/dev/null
	grep '^[EW]:' "$work/lintian" && fail "lintian"
	echo "packages: lintian has no error and no warning"
else
	echo "packages: left out: lintian is not installed"
fi

command -v mmdebstrap >/dev/null || { echo "packages: left out: mmdebstrap is not installed"; exit 0; }
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep debian | head -n 1)
if [ ! -d "$root/usr" ]; then
	mmdebstrap --mode=root --variant=apt --include=gcc,libc6-dev bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
		{ echo "packages: left out: no root from the mirror: $(tail -n 1 "$work/log")"; exit 0; }
fi
for mount in /proc /sys /dev; do
	mount --bind "$mount" "$root$mount" && mounts="$mounts $mount"
done
mount --bind /sys/fs/bpf "$root/sys/fs/bpf" 2>/dev/null && mounts="/sys/fs/bpf $mounts"
rm -rf "$root/our" "$root/newer"
mkdir "$root/our" "$root/newer"
grep '\.deb$' "$work/made" | grep -v dbgsym | while read -r package; do
	cp "$checkout/$package" "$root/our"
done
cp "$checkout/tests/programs/packages.d" "$root/our/shop.d"
# A later version: the same files.
for package in "$root"/our/*.deb; do
	rm -rf "$work/newer"
	dpkg-deb -R "$package" "$work/newer"
	sed -i 's/0\.9\.0~[0-9a-z.]*/0.9.1/g' "$work/newer/DEBIAN/control"
	dpkg-deb --build "$work/newer" "$root/newer" >/dev/null || fail "no later version of $package"
done

# in_root WHAT COMMAND... - with the root's own commands
in_root() {
	what=$1
	shift
	timeout 300 chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "$*" >"$work/log" 2>&1 </dev/null || fail "$what: $(cat "$work/log")"
}

apt() {
	in_root "apt-get $*" "apt-get -qq --allow-downgrades -o Dpkg::Use-Pty=0 -y $*"
}

# same IS WANTED WHAT
same() {
	[ "$1" = "$2" ] || fail "$3: '$1' instead of '$2'"
}

installed() { # those in a state like ii
	chroot "$root" dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' '*dtrace*' systemtap-sdt-dev 2>/dev/null | sed -n "s/^${1-ii} *//p" | sort | tr '\n' ' '
}

# owner PATH - the package that has the file; nobody: it is not there
owner() {
	[ -e "$root$1" ] || [ -L "$root$1" ] || { echo nobody; return; }
	chroot "$root" dpkg -S "$1" 2>/dev/null | grep -v '^diversion' | sed 's/:.*//' | head -n 1
}

page() { # which dtrace the page dtrace(1) is about
	zcat "$root/usr/share/man/man1/dtrace.1.gz" 2>/dev/null | grep -q '^\.TH .*"dtrace 0' && echo ours || echo another
}

# The command by PATH makes a header and an object, of which the program has its probes.
builds_with() { # COMMAND
	in_root "a program built with $1" "cd /tmp && rm -f shop* && cp /our/shop.d . && $1 -h -s shop.d -o shop.h &&
		printf '#include \"shop.h\"\nint main(void) { SHOP_SALE(3); return SHOP_SALE_ENABLED(); }\n' >shop.c &&
		gcc -I. -c shop.c && $1 -G -s shop.d -o probes.o shop.o && gcc -o shop shop.o probes.o && ./shop"
	readelf -n "$root/tmp/shop" 2>/dev/null | grep -q 'Provider: shop' || fail "no probe in the program built with $1"
}

# Used as somebody does who has just installed it.
works() {
	in_root "dtrace" "timeout 60 /usr/sbin/dtrace -qn 'BEGIN { printf(\"%d\\n\", 6 * 7); exit(0); }' | grep -x 42"
	in_root "dtrace --show" "printf 'a;b 1\n' >/tmp/none; ls /usr/libexec/dtrace/flamegraph && /usr/sbin/dtrace -Vv"
}

ours="dtrace libdtrace-usdt-dev libdtrace-usdt0 "
nothing_left() {
	apt purge "$(installed '[ir][ic]')"
	same "$(installed '[ir][ic]')" "" "packages after purge"
	left=$(find "$root/usr" "$root/etc" "$root/lib" "$root/var/lib/systemd" -name '*dtrace*' ! -name mydtrace.h 2>/dev/null) # Perl's
	same "$left" "" "files after purge"
	same "$(chroot "$root" dpkg-divert --list | grep -c dtrace)" 0 "diversions after purge"
}

in_root "apt-get update" apt-get -qq update
nothing_left # of a run before, with -k

apt install systemtap-sdt-dev
apt install /our/dtrace_*.deb
same "$(installed)" "dtrace systemtap-sdt-dev " "dtrace after SystemTap's"
same "$(page)" ours "page"
works
builds_with /usr/sbin/dtrace
apt remove dtrace
same "$(page)" another "page after removal"
nothing_left
echo "packages: dtrace after and next to systemtap-sdt-dev"

apt install /our/dtrace_*.deb
apt install systemtap-sdt-dev
same "$(installed)" "dtrace systemtap-sdt-dev " "dtrace before SystemTap's"
same "$(page)" ours "page"
apt install --reinstall systemtap-sdt-dev
same "$(page)" ours "page after a reinstallation of SystemTap's"
apt remove systemtap-sdt-dev
same "$(page)" ours "page after the removal of SystemTap's"
works
nothing_left
echo "packages: dtrace before and next to systemtap-sdt-dev"

apt install systemtap-sdt-dev
apt install /our/*.deb
same "$(installed)" "$ours" "in place of SystemTap's"
same "$(owner /usr/bin/dtrace) $(owner /usr/include/sys/sdt.h)" "libdtrace-usdt-dev libdtrace-usdt-dev" "owners"
works
for name in /usr/bin/dtrace /usr/sbin/dtrace dtrace; do
	builds_with "$name"
done
apt install systemtap-sdt-dev
same "$(installed)" "dtrace libdtrace-usdt0 systemtap-sdt-dev " "SystemTap's in place of ours"
same "$(owner /usr/bin/dtrace)" systemtap-sdt-dev "owner of /usr/bin/dtrace"
nothing_left
echo "packages: libdtrace-usdt-dev in place of systemtap-sdt-dev, and back; -h and -G by either name"

apt install /our/*.deb
apt install /newer/*.deb
same "$(installed)" "$ours" "after the upgrade"
same "$(chroot "$root" dpkg-query -W -f '${Version}' dtrace)" 0.9.1 "version"
works
apt install /our/*.deb
works
in_root "dtrace -A" "/usr/sbin/dtrace -A -n 'BEGIN { }' && test -s /etc/dtrace/anonymous.d/saved"
nothing_left
echo "packages: upgrade, downgrade, removal"

# All was one package once.
old=$work/old
rm -rf "$old" && mkdir -p "$old/DEBIAN" "$old/usr/share/man/man1" "$old/usr/include/sys"
for file in usr/share/man/man1/dtrace.1.gz usr/include/sys/sdt.h; do
	echo old >"$old/$file"
done
mkdir -p "$old/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" && echo old >"$old/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/libdtrace-usdt.so.0"
printf 'Package: dtrace\nVersion: 0.9.0~20261101.1\nArchitecture: %s\nMaintainer: a test\nConflicts: systemtap-sdt-dev\nReplaces: systemtap-sdt-dev\nProvides: systemtap-sdt-dev\nDescription: old\n' "$(dpkg --print-architecture)" >"$old/DEBIAN/control"
dpkg-deb --build "$old" "$root/our/old.deb" >/dev/null || fail "no old package"
apt install /our/old.deb
in_root "upgrade from one package" "apt-get install -qq -y libelf1 liblzma5 && dpkg -i /our/dtrace_*.deb /our/lib*.deb"
same "$(installed)" "$ours" "after the upgrade from one package"
same "$(page)" ours "page after the upgrade"
nothing_left
echo "packages: upgrade from the one package that there was"
