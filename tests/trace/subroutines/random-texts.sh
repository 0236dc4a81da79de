# What: random texts, numbers and calls in calls, at several strsizes, give what a plain model says, at BEGIN and at a function: values, faults, cuts.  Needs: btf uprobe python3.
. "$LIB"
# A difference is told with its strsize and SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/subroutines/random_texts.py"
