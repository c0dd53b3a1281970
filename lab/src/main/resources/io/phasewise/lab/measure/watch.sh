# Waits until its standard input ends. Then the run has ended without closing its directory: kills its processes and removes the directory.
trap '' HUP INT TERM
read -r closed && exit
# Twice: a process that was just being started may not have had its command line yet.
for round in 1 2; do
  for process in $(grep -alsF -- "${SCRATCH:?}/" /proc/[0-9]*/cmdline); do
    process=${process%/cmdline}
    kill -KILL "${process#/proc/}"
  done
  sleep 1
done
rm -rf -- "$SCRATCH"
