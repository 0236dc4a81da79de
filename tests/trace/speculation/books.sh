# What: two threads write to speculations that begin and end meanwhile: everything written is printed, discarded or reported. Needs: two-cpus.
. "$LIB"
# Two CPUs commit at once; only one begins again, or an id would be lost with its records.
for options in "-x specsize=4m -b 16m" "-x specsize=16k -x nspec=3" "-b 64k -x specsize=1k" "-x temporal=off -b 16m"; do
	# shellcheck disable=SC2086 # words of options
	trace $options -n 'BEGIN { current = 0; } syscall::getpgid:entry /pid == $target && current/ { speculate(current); ran++; printf("r %d %d\n", tid, arg0); }
		profile-997 /pid == $target/ { commit(current); commits++; }
		profile-997 /pid == $target && !locked++/ { commit(current); this->mine = 1; }
		profile-997 /this->mine/ { current = speculation(); locked = 0; }
		END { commit(current); }
		END { printf("ran %d commits %d\n", ran, commits); }' -c "$TRIGGERS/stress 700"
	same "$status" 0 "status with $options"
	ran=$(sed -n 's/^ran \([0-9]*\) .*/\1/p' out)
	printed=$(grep -c '^r [0-9]* [0-9]*$' out)
	told=$(sed -n 's/^dtrace: \([0-9]*\) drops\{0,1\} on CPU [0-9]*$/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
	late=$(sed -n 's/^dtrace: \([0-9]*\) speculative drops\{0,1\}$/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
	echo "$options: $ran ran, $printed printed, $told dropped at commit(), $late did not fit; $(tail -n 1 out)"
	[ "$ran" -gt 100 ] && [ "$printed" -gt 0 ] || fail "hardly anything ran with $options"
	# a record that lost its room to another CPU ran and is a speculative drop; others did not run
	[ $((printed + told)) -le "$ran" ] && [ $((printed + told + late)) -ge "$ran" ] || fail "the books with $options"
	[ "$late" -gt 0 ] || same $((printed + told)) "$ran" "printed and dropped with $options"
	same "$(grep '^r' out | sort | uniq -d | wc -l)" 0 "records printed twice with $options"
	rm -f counts
done
