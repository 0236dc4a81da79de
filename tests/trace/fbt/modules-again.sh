# What: a module that is unloaded and loaded again while tracing, at its old addresses or elsewhere, is traced again, each call once; where the kernel keeps a module because it is traced, it cannot be unloaded.  Needs: kprobe btf ip python3.
. "$LIB"
grep -q '^dummy ' /proc/modules && skip "the module dummy is loaded already"
module find dummy || skip "there is no module dummy"
module load dummy numdummies=0 || fail "not loaded"
trap 'module unload dummy' EXIT
calls() { # NUMBER - so many calls of dummy_setup
	for i in $(seq "$1"); do
		ip link add "dtrace$i" type dummy || fail "no device can be made"
		ip link del "dtrace$i"
	done
}
seen_again() { [ "$(grep -c 'modules of the kernel were loaded: what they called before' err)" -ge "$1" ]; }
again() { # TIMES - until dtrace has seen the module so often
	module load dummy numdummies=0 || fail "not loaded"
	until_true 60 seen_again "$1" || fail "not seen: $(cat err)"
}
finish() { # COUNT
	kill -INT "$pid"
	wait "$pid" || fail "status $?: $(cat err)"
	contains "^calls $1\$"
	grep -v 'modules of the kernel were loaded' err >more && fail "more than that was said"
	return 0
}

# A single instruction is a probe by itself: the kernel lets the module go.
background -n 'BEGIN { printf("begun\n"); } fbt:dummy:dummy_setup:0 { @ = count(); } END { printa("calls %@d\n", @); }'
until_true 60 grep -qs begun out || fail "never began: $(cat err)"
calls 3
module unload dummy || fail "cannot be unloaded"
again 1
calls 4
module unload dummy || fail "cannot be unloaded again"
module load ifb numifbs=0 # where the other was
again 2
calls 5
finish 12
module unload ifb

background -n 'BEGIN { printf("begun\n"); } fbt:dummy:dummy_setup:entry { @ = count(); } END { printa("calls %@d\n", @); }'
until_true 60 grep -qs begun out || fail "never began: $(cat err)"
calls 2
if module unload dummy 2>refused; then
	again 1
	calls 6
	finish 8
else
	contains 'temporarily unavailable' refused
	finish 2
	module unload dummy || fail "still kept"
	module load dummy || fail "not loaded"
fi
exit 0
