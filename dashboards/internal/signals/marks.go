// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"fmt"

	"phasewise.io/dashboards/internal/signal"
)

// heldBack is what leaders' records waited for each follower, divided by how many records there were.
func heldBack() string {
	const window = "[$__rate_interval]"
	commits := fmt.Sprintf(`(histogram_count(sum by (broker) (rate(kafka_commit_seconds{%[1]s}%[2]s))) or sum by (broker) (rate(kafka_commit_seconds_count{%[1]s}%[2]s)))`, ofBroker, window)
	return fmt.Sprintf(`sum by (broker, follower) (rate(kafka_commit_gated_seconds_total{%s}%s)) / on (broker) group_left () (%s > 0)`, ofBroker, window, commits)
}

// What leaders know of the canary's records, and all brokers of their logs.
var (
	HeldBack = mayBeEmpty(needsAgent, signal.Signal{
		Name:   "Who held commits back",
		Query:  worst("broker, follower", heldBack()),
		Unit:   signal.Seconds,
		Legend: "leader {{broker}} for {{follower}}",
		Read: "For which follower the canary's records waited at each leader, per batch, while they waited: several, as long as more than one lacked the record; " +
			"leader, when all had it or the leader's JVM stood still.",
		Do: "One follower at every leader: its disk, processor, collections, network. One leader, whoever follows: the way from it, or that broker itself.",
	})

	AppendTime = mayBeEmpty(needsAgent, signal.Signal{
		Name:   "Append to the log, ${percentile:text}",
		Query:  worst("broker, role, log_dir", percentileOf("$percentile", "broker, role, log_dir", "kafka_log_append_seconds", ofBroker, "$__rate_interval")),
		Unit:   signal.Seconds,
		Legend: "broker {{broker}} {{role}} {{log_dir}}",
		Read:   "How long appends of all partitions took: lock, validation, write, roll, flush; as leader and as follower, by directory.",
		Do:     "One directory above the others: its disk. One broker, as follower too: its disk or host. Leaders only: conversion or validation, see their processors.",
	})

	Acknowledged = mayBeEmpty(needsAgent, signal.Signal{
		Name:  "Acknowledged, mean",
		Query: meanBy("broker, follower", "kafka_replica_ack_seconds", ofBroker),
		Unit:  signal.Seconds,
		Read:  "From a record's append until the leader (broker) received the follower's fetch that says it has the record: the last minute.",
		Do:    "A follower that is slow for every leader is slow itself; one that is slow for one leader has a slow way from there.",
	})

	AcknowledgedPercentile = mayBeEmpty(needsAgent, signal.Signal{
		Name:  "Acknowledged, ${percentile:text}",
		Query: percentileOf("$percentile", "broker, follower", "kafka_replica_ack_seconds", ofBroker, "1m"),
		Unit:  signal.Seconds,
		Read:  "The same as a percentile.",
		Do:    "Far above the mean: it stalls now and then; see its collections and its disk.",
	})
)
