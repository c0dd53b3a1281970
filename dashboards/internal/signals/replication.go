// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

// total is a count over all brokers chosen, as a number.
func total(name, metric, read, do string) signal.Signal {
	return show(name, signal.Count, fill(`sum(<metric>{<broker>})`, names{"metric": metric}), read, do)
}

// suspectNow are at most three suspects, in the words of the canary, with all their phases together. A tile without a series would be blank, which could as well
// be a tile that is broken: so nobody is a series of 0 wherever probes came back in the last minute. Where no canary judges probes, or no agent answers one, nobody
// can be named for a broker's own waits: that is -1, not known.
const suspectNow = `topk(3, sum by (who) (max by (who, phase) (kafka_suspect{cluster="$cluster"}))) or ` +
	`label_replace((max(kafka_canary_suspects_judged{cluster="$cluster"}) * max(kafka_canary_agent_reachable{cluster="$cluster"}) or 0 * max(kafka_canary:phase_latency_seconds_by_leader:mean1m{<cluster>})) - 1 and max(kafka_canary:phase_latency_seconds_by_leader:mean1m{<cluster>}), "who", "Suspected", "", "") ` +
	`unless on () kafka_suspect{cluster="$cluster"}`

// Counts that should be 0.
var (
	UnderReplicatedNow = total("Under-replicated", "kafka_server_replicamanager_underreplicatedpartitions",
		"Partitions with a replica out of sync.", "Above 0: a broker is down or a follower lags. The dashboard Kafka replication and ISR shows which leaders miss it.")
	UnderMinISRNow = total("Under min ISR", "kafka_server_replicamanager_underminisrpartitioncount",
		"Partitions with fewer in-sync replicas than min.insync.replicas: writes with acks=all fail.", "Above 0 users are hurt now: bring the replicas back before anything else.")
	AtMinISRNow = total("At min ISR", "kafka_server_replicamanager_atminisrpartitioncount",
		"Partitions with exactly min.insync.replicas: one more loss and writes fail.", "Restart no broker and move nothing while it is above 0.")
	OfflineReplicasNow = total("Offline replicas", "kafka_server_replicamanager_offlinereplicacount",
		"Replicas on a log directory that failed.", "Above 0: look for I/O errors on the broker's disk.")
	Reassigning = total("Being reassigned", "kafka_server_replicamanager_reassigningpartitions",
		"Partitions that are being moved.", "Moving data competes with everything; if latency suffers, lower the reassignment's throttle.")
)

var (
	UnderReplicated = worstBroker("Under-replicated partitions, by leader", signal.Count,
		`max by (broker) (kafka_server_replicamanager_underreplicatedpartitions{<broker>})`,
		"Partitions led by this broker with a replica out of sync.",
		"On all brokers but one: that one is down or lags. On one: its network or disk as a leader.")

	ReplicaLag = worstBroker("Replica lag, records", signal.Count,
		`max by (broker) (kafka_server_replicafetchermanager_maxlag{<broker>})`,
		"By how many records a broker's replica lags behind its leader, for the replica that lags most.",
		"One broker above the others follows slowly, and commits wait for it: its CPU, disk, or too few num.replica.fetchers.")

	Suspects = show("Suspects", signal.Seconds, worst("who, phase", `max by (who, phase) (kafka_suspect{cluster="$cluster"})`),
		"Whom probes wait for longer than usual, and by how much: as the canary names them, second by second.",
		"Look at what is named: a disk, request handlers, network threads, a process that is paused, the network path; as a follower, its fetchers. The runbook BrokerDegraded says where.").
		Named("{{who}}: {{phase}}").OrEmpty("nobody is slow")

	NextStep = show("What to do next", signal.Seconds,
		`max by (who, next) (sum by (who, role) (max by (who, role, phase) (kafka_suspect{cluster="$cluster"})) * on (role) group_left (next) topk by (role) (1, max by (role, next) (phasewise:suspect_roles)))`,
		"Whom probes wait for longer than usual now, by how much, all phases together, and the first step for such a role.",
		"Begin with the longest wait; the runbook BrokerDegraded has the steps after the first, by role.").OrEmpty("nobody is slow")

	SuspectNow = show("Suspect", signal.Seconds, suspectNow,
		"Whom probes wait for longer than usual, and by how much, all phases together: as the canary names them. Three at most. Not known: no canary has judged a probe in the last minute, or no broker's agent answers.",
		"Open Kafka replication and ISR for who waits for whom and since when; the runbook BrokerDegraded says by role where to look.").
		Named("{{who}}")

	ISRShrinks = worstBroker("In-sync sets shrunk", signal.PerSec, sumBy("broker", "kafka_server_replicamanager_isrshrinks_total"),
		"How often this leader threw a follower out of an in-sync set.", "Together with expansions: a follower stalls again and again, for about replica.lag.time.max.ms. Find out why; do not raise the setting.")

	ISRExpands = worstBroker("In-sync sets expanded", signal.PerSec, sumBy("broker", "kafka_server_replicamanager_isrexpands_total"),
		"How often a follower came back into an in-sync set.", "After a restart it follows the shrinks. Without shrinks before it is good news: replicas come back.")

	FailedISRUpdates = worstBroker("In-sync updates refused", signal.PerSec, sumBy("broker", "kafka_server_replicamanager_failedisrupdates_total"),
		"Changes of in-sync sets that the controller refused.", "Above 0 for long: broker and controller disagree; look at metadata lag.")

	ReplicationIn = worstBroker("Replication bytes in", signal.BytesPerSec, sumBy("broker", "kafka_server_brokertopicmetrics_replicationbytesin_total"),
		"What a broker fetches as a follower.", "One below the others while replica lag grows: that follower cannot keep up.")

	ReplicationOut = worstBroker("Replication bytes out", signal.BytesPerSec, sumBy("broker", "kafka_server_brokertopicmetrics_replicationbytesout_total"),
		"What a broker sends to its followers.", "It should be (replication factor - 1) times what producers write; much more is a reassignment or a recovery.")

	FetcherFailures = worstBroker("Partitions given up by fetchers", signal.Count, `sum by (broker) (kafka_server_replicafetchermanager_failedpartitionscount{<broker>})`,
		"Partitions that a replica fetcher stopped following after an error.", "Above 0: the broker's log says why. The broker follows these partitions again only after a restart.")

	DeadFetchers = worstBroker("Dead replica fetchers", signal.Count, `sum by (broker) (kafka_server_replicafetchermanager_deadthreadcount{<broker>})`,
		"Threads of replica fetchers that died.", "Above 0: restart the broker, and keep its log.")

	ProduceExpired = worstBroker("Produces that timed out waiting for followers", signal.PerSec, sumBy("broker", "kafka_server_delayedproducemetrics_expires_total"),
		"Produce requests whose followers did not come in time.", "Above 0 users see time-outs: see which follower is missing.").OrEmpty(nothingWrong)

	LeaderCount = worstBroker("Leaders", signal.Count, `max by (broker) (kafka_server_replicamanager_leadercount{<broker>})`,
		"Partitions led by each broker.", "Uneven after a restart: kafka-leader-election.sh --election-type preferred.")

	PartitionCount = worstBroker("Replicas", signal.Count, `max by (broker) (kafka_server_replicamanager_partitioncount{<broker>})`,
		"Replicas on each broker, as leader or follower.", "Uneven: reassign. More than some 4,000 on a broker: expect longer restarts and commits.")

	LateTransactions = worstBroker("Partitions with a hanging transaction", signal.Count, `max by (broker) (kafka_server_replicamanager_partitionswithlatetransactionscount{<broker>})`,
		"Partitions with a transaction that has been open for too long.", "Above 0: consumers with read_committed wait there. kafka-transactions.sh find-hanging names it.")
)
