# What: random inlines with parameters print the results of a plain model; an argument that is not met does not fault, however often the
# value has it.  Needs: python3 btf.
. "$LIB"
# A difference is reported with its SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/language/random_inlines.py"
