#!/usr/bin/env bash
# Asks a port of this container whether it answers: healthcheck.sh PORT [PATH]. Without a PATH an open port will do, with one
# the answer to GET PATH must be 200. Plain bash, because base images differ in what else they carry.
set -euo pipefail

port=$1
path=${2:-}

exec 3<>"/dev/tcp/127.0.0.1/$port"
[ -n "$path" ] || exit 0
printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$path" >&3
read -r _ status _ <&3
if [ "$status" != 200 ]; then
  echo "GET $path on port $port: $status" >&2
  exit 1
fi
