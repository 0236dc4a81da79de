# What: a string that is chosen among hundreds by ?: compiles at once.
{
	printf 'inline string name[int n] = '
	seq 400 | sed 's/.*/n == & ? "number &" :/'
	echo 'lltostr(n); BEGIN { @[name[pid]] = count(); self->x = name[397]; trace(name[398]); trace(name[1000]); exit(0); }'
} >long.d
timeout -k 1 10 "$DTRACE" -e -s long.d
