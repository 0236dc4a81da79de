# What: random values, weights, keys and parameters of every function give what a plain model says: values, buckets, their labels, the order of rows.  Needs: python3.
. "$LIB"
# A difference is told with its SEED; SEED=n COUNT=1 repeats it alone.
python3 "$(dirname "$LIB")/aggregations/random_values.py"
