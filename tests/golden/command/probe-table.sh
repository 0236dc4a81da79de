# docs/probes.md is the table of the probes of providers/*.prov on the kernels of tests/kernels; each of them has a test.
command -v python3 >/dev/null || exit 0
top=$(realpath "$(dirname "$0")/../../..")
for kernel in "$top"/tests/kernels/*.tar.xz; do
	tar -xJf "$kernel" || exit 1
	kernel=$(basename "$kernel" .tar.xz)
	"$DTRACE" -xprovcheck="$kernel" >"$kernel.check" || echo "status $?"
done
(cd "$top" && tools/probe-table "$OLDPWD") >table
echo "status $?"
[ "$GOLDEN" != update ] || cp table "$top/docs/probes.md"
# Tests come and go: only the events must be the same.
sed 's/|[^|]*|$/|/' "$top/docs/probes.md" >kept
sed 's/|[^|]*|$/|/' table | diff kept -
