# What: two signals that belong together count as one: END runs, aggregations print.  Needs: python3.
. "$LIB"
cat >pair.py <<'P'
import os, signal, subprocess, sys, time
first, second, apart = getattr(signal, sys.argv[1]), getattr(signal, sys.argv[2]), float(sys.argv[3])
program = 'BEGIN { printf("ready\\n"); @["left"] = count(); } tick-1ms { @n = count(); } END { printf("end\\n"); }'
p = subprocess.Popen([os.environ["DTRACE"], "-q", "-o", "log", "-n", program])
for _ in range(1000):
    if os.path.exists("log") and "ready" in open("log").read():
        break
    time.sleep(0.02)
p.send_signal(first)
time.sleep(apart)
p.send_signal(second)
sys.exit(p.wait())
P
pair() { # pair SIGNAL SIGNAL SECONDS
	rm -f log
	/usr/bin/python3 pair.py "$@" 2>err
	same "$?" 0 "status after $*"
	same "$(cat err)" "" "messages after $*"
	contains '^end$' log
	contains '^  left  *1$' log
}
for apart in 0 0.0001 0.0005 0.001 0.002 0.005 0.01; do
	pair SIGINT SIGINT $apart
	pair SIGTERM SIGINT $apart
done
