# What: a broken or irrelevant D library does not stop a script that does not use it.
. "$LIB"
mkdir lib
echo 'this is not D {' >lib/broken.d
printf '#pragma D depends_on provider nowhere\ninline int x = 1;\n' >lib/irrelevant.d
printf 'inline int four = 4;\n' >lib/good.d
trace -L lib -n 'BEGIN { printf("fine\n"); exit(0); }'
same "$status" 0 status
contains '^fine$'
