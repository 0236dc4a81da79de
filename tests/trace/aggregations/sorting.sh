# What: each aggsort option, from the command line and by setopt(): signed keys, ties, positions, the end of tracing too.
. "$LIB"
cat >data.d <<'END'
BEGIN
{
	@a[2, "b"] = sum(5); @a[-1, "c"] = sum(5); @a[10, "a"] = sum(-2); @a[2, "a"] = sum(9);
	@b[2, "b"] = sum(1); @b[-1, "c"] = sum(2); @b[10, "a"] = sum(3); @b[2, "a"] = sum(0);
END
with() { # OPTIONS -- WANTED PROGRAM
	wanted=$2
	{
		cat data.d
		printf '%s exit(0); }\n' "$3"
	} >now.d
	# shellcheck disable=SC2086 # options
	must_trace $1 -s now.d
	same "$(sed '/^$/d' out | tr '\n' ' ' | sed 's/ $//')" "$wanted" "options '$1'"
}
one='printa("%d%s=%@d\n", @a);'
two='printa("%d%s=%@d,%@d\n", @a, @b);'
with "" "10a=-2 -1c=5 2b=5 2a=9" "$one trunc(@a); trunc(@b);"
with "-x aggsortrev" "2a=9 2b=5 -1c=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey" "-1c=5 2a=9 2b=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortrev" "10a=-2 2b=5 2a=9 -1c=5" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortkeypos=1" "2a=9 10a=-2 2b=5 -1c=5" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortkeypos=7" "-1c=5 2a=9 2b=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "" "10a=-2,3 2b=5,1 -1c=5,2 2a=9,0" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=1" "2a=9,0 2b=5,1 -1c=5,2 10a=-2,3" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=9" "10a=-2,3 2b=5,1 -1c=5,2 2a=9,0" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=1 -x aggsortrev" "10a=-2,3 -1c=5,2 2b=5,1 2a=9,0" "$two trunc(@a); trunc(@b);"
with "" "-1c=5 2a=9 2b=5 10a=-2" "setopt(\"aggsortkey\"); $one trunc(@a); trunc(@b);"
with "-x aggsortkey" "10a=-2 -1c=5 2b=5 2a=9" "setopt(\"aggsortkey\", \"no\"); $one trunc(@a); trunc(@b);"
must_trace -x aggsortkey -n 'BEGIN { @z[1] = count(); @a[-1] = count(); @z[-7] = count(); exit(0); }'
same "$(awk 'NF { print $1 }' out | tr '\n' ' ')" "-7 1 -1 " "the end: by variable first"
