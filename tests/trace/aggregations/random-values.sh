# What: random values, weights, keys and parameters of every function give the results of a plain model: values, buckets, their labels, the order of rows. Needs: python3.
. "$LIB"
# A difference is reported with its SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/aggregations/random_values.py"
