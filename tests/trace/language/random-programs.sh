# What: random programs over variables of every scope, type and kind print what a plain model says.
# Needs: python3 btf.
. "$LIB"
# A difference is told with its SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/language/random_programs.py"
