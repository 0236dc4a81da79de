# What: $pid and similar variables are numbers of dtrace itself, $$pid their text, $0 the script; ${pid} in
# descriptions.
# value EXPRESSION - the compiled value
value() {
	printf 'BEGIN { trace(%s); }\n' "$1" >value.d
	"$DTRACE" -e -x dump=typed -s value.d 2>&1 | sed -n 's/.*trace(\(.*\) : .*/\1/p'
}
check() {
	if [ "$2" = "$3" ]; then
		echo "$1 is right"
	else
		echo "$1 is $2, wanted $3"
	fi
}
check uid "$(value '$uid')" "$(id -ru)"
check euid "$(value '$euid')" "$(id -u)"
check gid "$(value '$gid')" "$(id -rg)"
check egid "$(value '$egid')" "$(id -g)"
check sid "$(value '$sid')" "$(ps -o sid= -p $$ | tr -d ' ')"
check projid "$(value '$projid')" 0
check taskid "$(value '$taskid')" 0
check target "$(value '$target')" 0
check '$$uid' "$(value '$$uid')" "\"$(id -ru)\""
check '$0' "$(value '$0')" '"value.d"'
check '$$0' "$(value '$$0')" '"value.d"'
for name in pid ppid pgid; do
	[ "$(value "\$$name > 0")" = 1 ] && echo "$name is positive"
done
[ "$(value '$pid == $ppid')" = 0 ] && echo "pid is not ppid"
"$DTRACE" -e -x errtags -n 'BEGIN,BEG${nothing}IN' 2>&1 | head -n 1
"$DTRACE" -e -x errtags -n 'BEGIN { trace($nothing); }' 2>&1 | head -n 1
