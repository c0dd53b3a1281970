// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import "phasewise.io/dashboards/internal/signal"

// heldBack is how long the records of leaders waited for each follower, divided by how many batches there were.
const heldBack = `sum by (broker, follower) (rate(kafka_commit_gated_seconds_total{<broker>}[$__rate_interval])) / on (broker) group_left () ` +
	`((histogram_count(sum by (broker) (rate(kafka_commit_seconds{<broker>}[$__rate_interval]))) ` +
	`or sum by (broker) (rate(kafka_commit_seconds_count{<broker>}[$__rate_interval]))) > 0)`

// cells are the largest values, as many as people can still read in a matrix, in the query's own order.
func cells(query string) string { return fill("<query> and topk(100, <query>)", names{"query": query}) }

// What leaders know of the canary's records, and all brokers of their logs.
var (
	HeldBack = show("Who held commits back", signal.Seconds, worst("broker, follower", heldBack),
		"How long a batch of the canary's records waited for each follower before it was committed, at each leader. several: while more than one follower lacked it. "+
			"leader: while all followers had it, or the leader's JVM was paused.",
		"One follower at every leader: look at that follower's disk, processor, garbage collections and network. All followers of one leader: look at that leader, and at the network from it.").
		Named("leader {{broker}} for {{follower}}").OrEmpty(needsAgent)

	AppendTime = show("Append to the log, ${percentile:text}", signal.Seconds,
		worst("broker, role, log_dir", percentileOf("$percentile", "broker, role, log_dir", "kafka_log_append_seconds", ofBroker, "$__rate_interval")),
		"How long appends of all partitions took: lock, validation, write, roll, flush; as leader and as follower, by directory.",
		"One directory above the others: its disk. One broker, as follower too: its disk or host. Leaders only: conversion or validation, see their processors.").
		Named("broker {{broker}} {{role}} {{log_dir}}").OrEmpty(needsAgent)

	Acknowledged = show("Append to acknowledgement", signal.Seconds,
		cells(meanBy("broker, follower", "kafka_replica_ack_seconds", ofBroker)),
		"From a record's append until its leader (row) received the fetch by which the follower (column) says that it has the record: the mean of the last minute. "+
			"With many brokers: the slowest pairs.",
		"A column: that follower's disk or host. A row: that leader, its handlers or its way out. One cell: the way between the two.").
		OrEmpty(needsAgent)

	AcknowledgedPercentile = show("Append to acknowledgement, ${percentile:text}", signal.Seconds,
		cells(percentileOf("$percentile", "broker, follower", "kafka_replica_ack_seconds", ofBroker, "1m")),
		"The same as a percentile.", "Far above the mean: the follower stalls now and then; see its garbage collections and its disk.").OrEmpty(needsAgent)

	// A canary is known by its site, or where it has none by its address.
	Paths = show("Round trip, canary to broker", signal.Seconds,
		cells(`max by (canary, broker) (label_replace(label_replace(`+
			`rate(kafka_canary_ping_seconds_total{<cluster>,broker=~"$leader"}[1m]) / (rate(kafka_canary_pings_total{<cluster>,broker=~"$leader"}[1m]) > 0), `+
			`"canary", "$1", "instance", "(.+)"), "canary", "$1", "site", "(.+)"))`),
		"The round trip of a tiny request from each canary (row: its site, or its address) to each broker (column): the mean of the last minute. Lost packets are in it.",
		"A column: the broker, its network or all its handlers, which answer such requests too. A row: the network at that canary. One cell: the path between the two. "+
			"Where only this is slow and the matrix of acknowledgements is not, clients there wait and the brokers see nothing.")
)
