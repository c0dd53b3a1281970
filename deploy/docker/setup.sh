#!/usr/bin/env bash
# Makes the users on the brokers of docker-compose.secured.yml, the canary's topic, and the canary's rights: the four that measuring
# needs (docs/how-to/security.md) and none on the cluster, so that it is this script that gives each broker a partition to lead. Does no
# harm when run again.
set -euo pipefail

secrets=/etc/phasewise/secrets
topic=phasewise-canary

kafka() {
  local tool=$1
  shift
  "/opt/kafka/bin/kafka-$tool.sh" --bootstrap-server kafka-1:9091 --command-config "$secrets/setup.properties" "$@"
}

for user in canary admin; do
  # The password comes from a file: what is on a command line is seen by all.
  kafka configs --alter --entity-type users --entity-name "$user" --add-config-file "$secrets/$user.scram"
done
kafka topics --create --if-not-exists --topic "$topic" \
  --replica-assignment 1:2:3,2:3:1,3:1:2 --config cleanup.policy=delete --config message.timestamp.type=LogAppendTime \
  --config retention.ms=600000 --config segment.ms=600000 --config segment.bytes=67108864 --config min.insync.replicas=2
kafka acls --add --allow-principal User:canary --topic "$topic" \
  --operation Describe --operation DescribeConfigs --operation Read --operation Write
