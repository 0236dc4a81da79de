# What: random programs over variables of every scope, type and kind print the results of a plain model.
# Needs: python3 btf.
. "$LIB"
# A difference is reported with its SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/language/random_programs.py"
