#!/bin/sh
# packaging.sh - packages of rpm and pacman, built as nobody where their builder wants that, and the image of OCI
#
# Each has the same files as `make install`; what is in the image runs in a root that has nothing else.  Three whole builds: some
# minutes.  As root; what is not installed (rpm, makepkg, skopeo) is left out, which is said.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

fail() {
	echo "packaging: FAILED: $*"
	exit 1
}

# has LIST WHAT - all that make install puts into /usr, but for the folders that differ (usr/lib is usr/lib64 or so for libraries)
has() {
	missing=$(sed 's,.*/,/,' "$work/wanted" | sort -u | while read -r name; do grep -qF "$name" "$1" || echo "$name"; done)
	[ -z "$missing" ] || fail "$2 is without $missing"
	echo "packaging: $2: $(wc -l <"$1") files"
}

make -s DESTDIR="$work/made" PREFIX=/usr install >"$work/log" 2>&1 || fail "make install: $(tail -n 5 "$work/log")"
(cd "$work/made" && find . ! -type d ! -name LICENSE) >"$work/wanted"

if command -v rpmbuild >/dev/null; then
	rpmbuild -bb --nodeps --build-in-place --define "_topdir $work/rpm" --define "version_dtrace $(sed -n 's/^## //p' NEWS.md | head -n 1)" \
		packaging/dtrace.spec >"$work/log" 2>&1 || fail "rpmbuild: $(tail -n 5 "$work/log")"
	rpm -qpl "$work"/rpm/RPMS/*/*.rpm >"$work/list" 2>/dev/null
	has "$work/list" rpm
else
	echo "packaging: left out: rpm is not installed"
fi

if command -v makepkg >/dev/null; then
	mkdir "$work/pacman" && chown nobody "$work/pacman"
	(cd packaging && setpriv --reuid nobody --regid nogroup --clear-groups env HOME="$work/pacman" CCACHE_DISABLE=1 MAKEFLAGS=-j2 \
		BUILDDIR="$work/pacman/build" PKGDEST="$work/pacman" SRCDEST="$work/pacman" LOGDEST="$work/pacman" makepkg -d) >"$work/log" 2>&1 ||
		fail "makepkg: $(tail -n 5 "$work/log")"
	tar tf "$work"/pacman/*.pkg.tar.* >"$work/list"
	has "$work/list" pacman
else
	echo "packaging: left out: makepkg is not installed"
fi

packaging/oci-image "$work/image.tar" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
packaging/oci-image "$work/again.tar" >/dev/null 2>&1
cmp "$work/image.tar" "$work/again.tar" || fail "two images differ"
mkdir "$work/image" "$work/root"
tar x -C "$work/image" -f "$work/image.tar" || fail "no tar"
/usr/bin/python3 - "$work/image" <<'P' || fail "the image's JSON"
import gzip, hashlib, json, os, sys
folder = sys.argv[1]
def blob(described):
    data = open(folder + "/blobs/" + described["digest"].replace(":", "/"), "rb").read()
    assert len(data) == described["size"] and "sha256:" + hashlib.sha256(data).hexdigest() == described["digest"], described
    return data
assert json.load(open(folder + "/oci-layout")) == {"imageLayoutVersion": "1.0.0"}
manifest = json.loads(blob(json.load(open(folder + "/index.json"))["manifests"][0]))
config = json.loads(blob(manifest["config"]))
layer = gzip.decompress(blob(manifest["layers"][0]))
assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(layer).hexdigest()]
open(folder + "/layer", "wb").write(layer)
P
tar x -C "$work/root" -f "$work/image/layer" && mkdir "$work/root/proc" "$work/root/sys" || fail "no layer"
cat >"$work/inside.sh" <<W
mount --bind /proc "$work/root/proc" && mount --rbind /sys "$work/root/sys" || exit 1
timeout 60 chroot "$work/root" /usr/sbin/dtrace -x oformat=csv -o /tmp/counts.csv -n 'syscall::write:entry /pid == \$target/ { @[execname] = count(); }' -c '/usr/sbin/dtrace -V'
W
unshare -m sh "$work/inside.sh" >"$work/log" 2>&1 || fail "in the image: $(cat "$work/log")"
grep -q ',dtrace,1' "$work/root/tmp/counts.csv" || fail "in the image: $(cat "$work/root/tmp/counts.csv")"
if command -v skopeo >/dev/null; then
	skopeo inspect "oci-archive:$work/image.tar" >"$work/log" 2>&1 || fail "skopeo: $(cat "$work/log")"
else
	echo "packaging: left out: skopeo is not installed"
fi
echo "packaging: image: $(stat -c %s "$work/image.tar") bytes, which runs without a library"
