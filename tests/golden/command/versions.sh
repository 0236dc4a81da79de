# What: names of each kind are there from the version on that brought them; libraries' names, too.
try() {
	"$DTRACE" -e -x version="$1" -n "BEGIN { $2 }" 2>&1 | head -1
}
for version in 1.0 1.1 1.2; do
	echo "version $version"
	try $version 'trace(O_RDONLY);'
	try $version 'trace(O_DIRECTORY);'
	try $version 'trace(strtok("a", "b"));'
	try $version 'setopt("quiet");'
	try $version 'trace(ustackdepth);'
	try $version '@ = stddev(1);'
done
