# What: random strings, numbers and nested calls, at several strsizes, give the results of a plain model, at BEGIN and at a function: values, faults, truncations. Needs: btf uprobe python3.
. "$LIB"
# A difference is reported with its strsize and SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/subroutines/random_texts.py"
