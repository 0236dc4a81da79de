# make check-vm: machines that end early fail the area that they are in, others go on; sums for each kernel.
tool=$(realpath "$(dirname "$0")/../../../tools/check-vm")
mkdir -p tests/trace/a tests/trace/b tests/trace/c tests/trace/d tests/trace/triggers tools
# The machine: here, and it dies in area b.
cat >runner <<'END'
#!/bin/sh
echo "machine $*" | sed '2,$d; s/-t [0-9]*/-t N/; s/ -S .*//'
while [ "$1" != -S ]; do shift; done
sh -c "$2"
END
cat >tools/run-trace <<'END'
#!/bin/sh
case $2 in
a) echo "skipped a/one.sh: no reason"; echo "3 passed, 0 failed, 1 skipped" ;;
b) kill -9 "$(cat machine)" ;;
c) echo "FAILED c/two.sh"; echo "1 passed, 1 failed, 0 skipped"; exit 1 ;;
d) sleep 20 ;;
esac
END
chmod +x runner tools/run-trace
sed -i 's,^sh -c,echo $$ >machine; exec sh -c,' runner
VM=./runner KERNELS="6.1 6.12" AREA="a b c" "$tool" build
echo "-- an area that takes too long"
VM=./runner KERNELS=6.12 AREA="d a" AREA_LIMIT=1 "$tool" build
echo "status $?"
cat build/vm/6.12/a.log
echo "-- no machine, no area"
VM=./none "$tool" build
VM=./runner AREA=e "$tool" build
touch tests/trace/a/one.sh
VM=./runner KERNELS=6.1 T=one "$tool" build
