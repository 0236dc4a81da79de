# What: strftime() with two formats in two programs: a file is named, the text of -n is not.
run() {
	"$DTRACE" -x executor=interpreter -q "$@" 2>&1
	echo "status $?"
}
echo 'BEGIN { @[strftime("%H", walltimestamp)] = count(); }' >hours.d
run -s hours.d -n 'END { @[strftime("%M", walltimestamp)] = count(); }'
run -n 'BEGIN { @[strftime("%H", walltimestamp)] = count(); }' -n 'END { @[strftime("%M", walltimestamp)] = count(); }'
