# What: a broken or irrelevant D library of the system does not stop a script that does not use it; one of -L does.
. "$LIB"
mkdir lib
echo 'this is not D {' >lib/broken.d
printf '#pragma D depends_on provider nowhere\ninline int x = 1;\n' >lib/irrelevant.d
printf 'inline int four = 4;\n' >lib/good.d
trace -x syslibdir=lib -n 'BEGIN { printf("fine\n"); exit(0); }'
same "$status" 0 status
contains '^fine$'
trace -L lib -n 'BEGIN { printf("fine\n"); exit(0); }'
same "$status" 1 'status with -L'
