// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

const everyBroker = ofClient

// clusterNow is a number of the whole cluster, whichever node tells it.
func clusterNow(name, query, read, do string) signal.Signal {
	return show(name, signal.Count, fill(query, names{"nodes": everyBroker}), read, do)
}

// Counts of the cluster, at this moment.
var (
	ActiveControllers = clusterNow("Active controllers", `sum(kafka_controller_kafkacontroller_activecontrollercount{<nodes>})`,
		"Nodes that say they are the active controller.", "Anything but 1 for longer than an election (seconds): the quorum has no majority, or two nodes think that they lead it. Until it is 1 no leader is elected and no topic changes.")
	OfflinePartitions = clusterNow("Offline partitions", `max(kafka_controller_kafkacontroller_offlinepartitionscount{<nodes>})`,
		"Partitions without a leader: nobody can read or write them.", "Above 0: bring back the brokers that hold their replicas.")
	ActiveBrokers = clusterNow("Active brokers", `max(kafka_controller_kafkacontroller_activebrokercount{<nodes>})`,
		"Brokers registered and not fenced.", "Fewer than you run: the missing ones are down or fenced.")
	FencedBrokers = clusterNow("Fenced brokers", `max(kafka_controller_kafkacontroller_fencedbrokercount{<nodes>})`,
		"Brokers that the controller has cut off because their heartbeats stopped.", "Above 0: see whether the broker runs, and whether it reaches the controller.")
	UncleanElections = clusterNow("Unclean elections, 24 h", `sum(max by (broker) (increase(kafka_controller_controllerstats_uncleanleaderelections_total{<nodes>}[1d])))`,
		"Leaders elected from outside the in-sync replicas in the last day.", "Above 0: acknowledged records may be lost. Tell their owners; unclean.leader.election.enable should be false.")
	Imbalance = clusterNow("Not with preferred leader", `max(kafka_controller_kafkacontroller_preferredreplicaimbalancecount{<nodes>})`,
		"Partitions led by another replica than the preferred one.", "Above 0 long after a restart: kafka-leader-election.sh --election-type preferred.")
	Topics = clusterNow("Topics", `max(kafka_controller_kafkacontroller_globaltopiccount{<nodes>})`,
		"Topics of the cluster.", "Growing without an end: something creates topics; see auto.create.topics.enable.")
	Partitions = clusterNow("Partitions", `max(kafka_controller_kafkacontroller_globalpartitioncount{<nodes>})`,
		"Partitions of the cluster.", "Each partition costs latency and recovery time: see the capacity review.")
)

var (
	MetadataLag = worstBroker("Metadata lag", signal.Seconds,
		`max by (broker) (kafka_server_broker_metadata_metrics_last_applied_record_lag_ms{<broker>}) / 1000`,
		"How old the newest metadata record is that the broker acts on. A no-op record each half second keeps it under a second.",
		"Rising on one broker: it does not follow the quorum, clients are sent to wrong leaders. On all: the controller is in trouble.")

	QuorumRole = show("Roles in the quorum", signal.Count,
		`max by (broker, state) (kafka_server_raft_metrics_current_state{<broker>}) * on (broker) group_left () max by (broker) (kafka_server_raft_metrics_current_epoch{<broker>})`,
		"What each node says that it is in the quorum, and in which epoch. It should be one leader, which is the active controller, and one epoch for all.",
		"A node that stays candidate or unattached, or in another epoch, for more than some seconds: it does not reach the others.")

	QuorumEpoch = worstBroker("Epoch of the quorum", signal.Count, `max by (broker) (kafka_server_raft_metrics_current_epoch{<broker>})`,
		"The quorum's epoch as each node knows it. A step is an election.",
		"Steps without a restart: controllers lose each other. Look at their network, GC pauses and disk.")

	CommitLatency = worstBroker("Metadata commit latency", signal.Seconds,
		`max by (broker) (kafka_server_raft_metrics_commit_latency_avg{<broker>} >= 0) / 1000`,
		"Mean time in which the active controller gets a metadata record committed by a majority.",
		"Above 100 ms: a voter is slow, or its metadata disk is. Topic creation and leader changes slow down with it.").OrEmpty(onlyController)

	ElectionLatency = worstBroker("Election latency", signal.Seconds,
		`max by (broker) (kafka_server_raft_metrics_election_latency_max{<broker>} >= 0) / 1000`,
		"The longest election of a controller in the last minute.", "Seconds: voters do not reach each other.").OrEmpty(nothingWrong)

	AppendRate = worstBroker("Metadata records appended", signal.PerSec, `max by (broker) (kafka_server_raft_metrics_append_records_rate{<broker>})`,
		"Records per second that the active controller writes; two are no-ops.", "Many more: topics are being created, in-sync sets flap, or brokers are fenced in turn.")

	HighWatermark = worstBroker("Behind the quorum's high watermark, records", signal.Count,
		`clamp_min(scalar(max(kafka_server_raft_metrics_high_watermark{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"})) - max by (broker) (kafka_server_broker_metadata_metrics_last_applied_record_offset{<broker>}), 0)`,
		"Metadata records that are committed and that the broker does not act on yet.", "A few are normal. Growing on one broker: it is stuck; look for metadata errors, restart it.")

	MetadataErrors = worstBroker("Metadata errors", signal.Count,
		`sum by (broker) (kafka_server_broker_metadata_metrics_metadata_load_error_count{<broker>} + kafka_server_broker_metadata_metrics_metadata_apply_error_count{<broker>})`,
		"Errors in reading the metadata log or in acting on it, since the broker started.", "Above 0: that broker's view is wrong. Keep its log, restart it.")

	EventQueue = worstBroker("Controller's event queue, mean", signal.Seconds,
		`max by (broker) (kafka_controller_controllereventmanager_eventqueuetimems_mean{<broker>}) / 1000`,
		"How long an event waits for the controller's thread, on the mean since the start.", "Above 100 ms: too many events (fencing, reassignments, topics), or a slow metadata disk.")

	RaftIdle = worstBrokerLow("Quorum thread idle", `min by (broker) (clamp_max(kafka_server_raft_metrics_poll_idle_ratio_avg{<broker>}, 1))`,
		"The share of time that the thread of the quorum waits for work.", "Below 30 %: it lags; look at what writes metadata.")

	SnapshotAge = worstBroker("Age of the metadata snapshot", signal.Seconds, `max by (broker) (kafka_server_snapshotemitter_latestsnapshotgeneratedagems{<broker>} > 0) / 1000`,
		"How old the newest snapshot of the metadata is.", "Far above an hour (metadata.log.max.snapshot.interval.ms): a start has to read a long log.").
		Within(0, 1e9)

	Heartbeats = worstBroker("Broker heartbeats that timed out", signal.Count, `max by (broker) (kafka_controller_kafkacontroller_timedoutbrokerheartbeatcount{<broker>})`,
		"Heartbeats that missed their timeout, counted by the active controller since it started.", "Each one fences a broker and moves its leaders: look for pauses on the broker.")
)
