# What: target=unit and cgroup follow groups that are made later: at the start, again, below, many at once; no other is traced.
. "$LIB"
own_group
cat >again.sh <<'S'
for round in 1 2 3 4 5; do
	sh within "$1/x.service/inner" sh -c 'exit 3'
	sh within "$1/y.service" sh -c 'exit 4'
	until rmdir "$group/$1/x.service/inner" 2>/dev/null; do sleep 0.01; done
	until rmdir "$group/$1/y.service" 2>/dev/null; do sleep 0.01; done
	rmdir "$group/$1/x.service"
done
[ "$1" = there.slice ] || rmdir "$group/$1"
S
program='syscall::exit_group:entry { @[arg0] = count(); } END { printa("%d %@u\n", @); }'
# units WANTED OPTION... - the groups come when dtrace runs
units() {
	wanted=$1
	shift
	trace "$@" -n "$program" -c "sh again.sh some.slice"
	same "$status $(grep . out)" "0 $wanted" "$*"
	contains '^dtrace: warning: target=.* matches nothing now; it is traced as soon as it is there$' err
}
units '3 5' -x target=unit:x
units '3 5' -x target=unit:x.service
units '3 5' -x "target=cgroup:$path/some.slice/x.service"
units '3 5' -x "target=cgroup:${path#/}/some.slice/x.service/"
units '3 5' -x "target=cgroup:$group/some.slice/x.service"
units "$(printf '3 5\n4 5')" -x target=unit:some.slice
units "$(printf '3 5\n4 5')" -x target=unit:x -x target=unit:y
units '' -x target=unit:service
units '' -x target=unit:some.slice/x

# A group that is there says nothing, and those below it that come later join.
mkdir "$group/there.slice"
must_trace -x "target=unit:there.slice" -n "$program" -c "sh again.sh there.slice"
same "$(grep . out)" "$(printf '3 5\n4 5')" "groups below one that was there"

# A process outside of -c, and dtrace without one.
background -x "target=unit:late-$$" -n 'BEGIN { printf("begun\n"); } syscall::exit_group:entry { printf("%d\n", arg0); exit(0); }'
until_true 10 grep -q begun out || fail "it does not begin"
contains 'matches nothing now' err
sh within "late-$$.service" sh -c 'exit 7' && fail "no status"
wait "$pid"
same "$? $(echo $(cat out))" "0 begun 7" "a unit that starts later"

cat >many.sh <<'S'
many() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sh within "many.slice/$1-$i.service/inner" sh -c 'exit 5'
		sh within "few.slice/$1-$i.service/inner" sh -c 'exit 6'
	done
}
many a & many b & many c &
wait
S
trace -x target=unit:many.slice -n "$program" -c "sh many.sh"
same "$status $(grep . out)" "0 5 60" "60 groups at once"
