# What: setopt() changes dynamic options from its record on; others are faults.
. "$LIB"
"$DTRACE" -n 'BEGIN { trace(1); } BEGIN { setopt("quiet"); } BEGIN { printf("bare\n"); }
	BEGIN { setopt("quiet", "off"); exit(0); } END { trace(2); }' >out 2>err || fail status
same "$(grep -c ":BEGIN" out)" 2 "lines with a prefix before and at the change"
contains '^bare$'
contains ':END  *2$'

must_trace -n 'BEGIN { setopt("rawbytes"); trace("ABC"); } BEGIN { setopt("rawbytes", "0"); trace("DEF"); exit(0); }'
contains ' 41 42 43'
contains '^DEF$'

trace -n 'BEGIN { setopt("bufsize", "8m"); setopt("nonsense"); setopt("quiet", "perhaps"); printf("on\n"); exit(0); }'
same "$status" 0 status
contains '^on$'
contains "couldn't set option \"bufsize\" to \"8m\": Operation illegal when tracing is active" err
contains "couldn't set option \"nonsense\" to \"1\": Invalid option name" err
contains "couldn't set option \"quiet\" to \"perhaps\": Invalid value" err
same "$(wc -l <err)" 3 messages

trace -x printsize=64k -n 'BEGIN { setopt("printsize", "1m"); exit(0); }'
same "$(cat err)" "dtrace: option printsize lowered to 64k, the maximum" "told about the limit"
must_trace -x printsize=64k -x quietresize -n 'BEGIN { setopt("printsize", "1m"); exit(0); }'

# Every dynamic option can be changed, every other one is refused while tracing.
table=$checkout/src/tracer/option/option.def
names() { # KIND... - the options of these kinds
	sed -nE "s/^OPTION\(([a-z]+), +($1),.*/\1/p" "$table"
}
value_for() {
	case $1 in
	aggpercentiles | printsize) echo 50 ;;
	*rate) echo 1s ;;
	*) echo 0 ;;
	esac
}
dynamic=$(names DYNAMIC)
for option in aggrate aggsortkey aggsortkeypos aggsortpos aggsortrev flowindent quiet rawbytes stackindent switchrate agghist aggpack \
	aggzoom quietresize printsize; do
	echo "$dynamic" | grep -qx "$option" || fail "$option is not dynamic"
done
for option in $dynamic; do
	echo "BEGIN { setopt(\"$option\", \"$(value_for "$option")\"); }"
done >all.d
echo 'BEGIN { trace("done"); exit(0); }' >>all.d
must_trace -x flowindent=0 -s all.d
contains done
others=$(names 'COMPILE|CONTEXT|RUN')
[ "$(echo "$others" | wc -l)" -gt 50 ] || fail "no options in $table"
for option in $others; do
	echo "BEGIN { setopt(\"$option\", \"1\"); setopt(\"$option\"); }"
done >all.d
echo 'BEGIN { exit(0); }' >>all.d
trace -s all.d
same "$status" 0 status
for option in $others; do
	same "$(grep -c "couldn't set option \"$option\" to \"1\": Operation illegal when tracing is active$" err)" 2 "messages about $option"
done
same "$(wc -l <err)" $((2 * $(echo "$others" | wc -l))) "all messages"

# Names and values of any strings; words for yes and no as with -x; an empty value is no value.
must_trace -n 'BEGIN { setopt(strjoin("qui", "et"), "OFF"); } BEGIN { setopt("quiet", lltostr(1)); } BEGIN { printf("1\n"); setopt("quiet", ""); }
	BEGIN { printf("2"); setopt("quiet", "enabled"); } BEGIN { printf("3\n"); exit(0); }'
same "$(sed 's/.*BEGIN/BEGIN/' out | tr '\n' '/')" "BEGIN /1/BEGIN 2/3//" "what is quiet"
trace -n 'BEGIN { setopt(execname); setopt(""); setopt("noquiet"); setopt("QUIET"); setopt("stackindent", "-3"); exit(0); } ERROR { printf("no"); }'
same "$(sed "s,.*BEGIN):,,; s, (.*,," err)" " couldn't set option \"dtrace\" to \"1\": Invalid option name
 couldn't set option \"\" to \"1\": Invalid option name
 couldn't set option \"noquiet\" to \"1\": Invalid option name
 couldn't set option \"QUIET\" to \"1\": Invalid option name
 couldn't set option \"stackindent\" to \"-3\": Invalid value for specified option" messages
same "$(cat out)" "" "such faults fire no ERROR"
# Programs record what print() shows: printsize is lowered and raised again, but not above what it was at the start.
trace -x printsize=64 -n 'BEGIN { setopt("printsize", "128"); setopt("printsize", "32"); setopt("printsize", "64"); setopt("printsize", "65"); exit(0); }'
same "$(sed "s,.*BEGIN):,,; s, (.*,," err)" " couldn't set option \"printsize\" to \"128\": more bytes of print() than at the start cannot be recorded
 couldn't set option \"printsize\" to \"65\": more bytes of print() than at the start cannot be recorded" "messages of printsize"
