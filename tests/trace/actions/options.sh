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

trace -n 'BEGIN { setopt("printsize", "1m"); exit(0); }'
same "$(cat err)" "dtrace: option printsize lowered to 64k, the most there is" "told about the limit"
must_trace -x quietresize -n 'BEGIN { setopt("printsize", "1m"); exit(0); }'

for option in aggrate=1s aggsortkey=1 aggsortkeypos=1 aggsortpos=1 aggsortrev=1 flowindent=0 quiet=1 rawbytes=1 stackindent=3 \
	switchrate=1s agghist=1 aggpack=1 aggzoom=1 quietresize=1 printsize=100; do
	must_trace -n "BEGIN { setopt(\"${option%=*}\", \"${option#*=}\"); exit(0); }"
done
