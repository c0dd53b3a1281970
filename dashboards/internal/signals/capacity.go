// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

var (
	P50Long  = percentileLong("p50", "0.5", "It grows with load long after p99 has: by then capacity is already short.")
	P99Long  = percentileLong("p99", "0.99", "Read its trend from week to week. If it grows with load, the panel p99 against load shows how fast.")
	P999Long = percentileLong("p99.9", "0.999", "It is made of stalls. It shows how many there are, rather than how high load is.")

	Load = show("load", signal.BytesPerSec, `sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}[5m]))`,
		"Bytes that producers write to the cluster.", "Its growth over the range is your growth: compare its last week with its first.")

	BusiestHandlers = show("utilisation", signal.Ratio, "max("+utilisation+")",
		"How busy the busiest broker's request handlers are: 1 - idle.", "Plan so that it stays below 70 % with one broker missing.")

	QueueTime1m = show("queue time, measured", signal.Seconds,
		`max(kafka_broker:request_phase_seconds:mean5m{cluster="$cluster",request="Produce",phase="request_queue"} >= 0)`,
		"How long produce requests wait for a handler on the broker where they wait longest, on the mean of five minutes.",
		"Where it leaves the curve upwards, arrivals are burstier than the model assumes: batch more, spread clients. It comes from JMX in whole milliseconds: below half of one it reads 0.").
		OrEmpty(needsMinutes)

	// Sakasegawa's approximation (1977) for c servers: wait = service time * rho^(sqrt(2(c+1))-1) / (c (1-rho)), for variabilities of 1. Of
	// each broker by its own figures; shown is the longest.
	Sakasegawa = show("queue time, model", signal.Seconds,
		fill(`max((kafka_broker:request_phase_seconds:mean5m{cluster="$cluster",request="Produce",phase="local"} >= 0) * on (broker) `+
			`((<rho>) ^ ((2 * (<c> + 1)) ^ 0.5 - 1) / (<c> * clamp_min(1 - (<rho>), 0.01))))`, names{"rho": utilisation, "c": servers}),
		"What Sakasegawa's formula expects of a pool of c request handlers, for variabilities of 1 and the mean time of the work (local). "+
			"c is num.io.threads, or the processors of the smallest host with a node_exporter, whichever is less.",
		"Its knee is where headroom ends: with eight handlers the wait at 90 % busy is 34 times that at 50 %. The curve says nothing beyond the loads that were measured.").
		OrEmpty(needsMinutes)

	LeaderP99 = show("p99 of the leader", signal.Seconds,
		`max by (leader) (kafka_canary:end_to_end_latency_seconds_by_leader:quantile5m{<cluster>,quantile="0.99"})`,
		"The 99th percentile of five minutes for each leader.", "If it is higher where there are more partitions, spread them or add brokers.").
		Named("leader {{leader}}").Within(fastest, horizon)

	LeaderPartitions = show("replicas on the leader", signal.Count,
		`max by (leader) (label_replace(kafka_server_replicamanager_partitioncount{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}, "leader", "$1", "broker", "(.+)"))`,
		"Replicas on the broker.", "Each one costs fetches, purgatory and recovery time.")

	LeaderUtilisation = show("handlers busy", signal.Ratio,
		fill(`max by (leader) (label_replace(<busy>, "leader", "$1", "broker", "(.+)"))`, names{"busy": utilisation}),
		"How busy its request handlers are.", "A busy broker with as many replicas as others has hot partitions. An idle one with many replicas is only full.")

	Growth = show("Growth of load in a week", signal.Ratio,
		`sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}[1d])) / (sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}[1d] offset 7d)) > 0) - 1`,
		"The last day's bytes in against those of the same day a week ago.", "At 10 % a week load doubles in seven weeks: compare with the headroom.").
		Within(-1, 1000).OrEmpty(needsADay)

	Headroom = show("Headroom to 70 % busy", signal.Multiple, fill(`0.7 / clamp_min(max(<busy>), 0.001)`, names{"busy": utilisation}),
		"By how much load could grow until the busiest broker's request handlers are 70 % busy, if it grew alike everywhere.",
		"Below 1.5 you cannot lose a broker of three: add brokers, or balance.").Within(0.5, 1e5)
)

// servers is how many requests handlers can work on at once. The number of threads is in a label: as the bound of a bucket that holds all
// there is, it is its own highest percentile.
const servers = `scalar(min(` +
	`histogram_quantile(1, label_replace(kafka_broker_config_info{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}, "le", "$1", "num_io_threads", "(.+)") ` +
	`or label_replace(kafka_broker_config_info{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}, "le", "+Inf", "", "")) ` +
	`or count by (instance) (node_cpu_seconds_total{mode="idle"})))`

const utilisation = `max by (broker) (1 - clamp_max(kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"} ` +
	`or kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}, 1))`

// percentileLong is a percentile over all leaders, of five minutes at a time.
func percentileLong(name, quantile, do string) signal.Signal {
	return show(name, signal.Seconds, fill(`kafka_canary:end_to_end_latency_seconds_by_cluster:quantile5m{<cluster>,quantile="<quantile>"}`, names{"quantile": quantile}),
		"The "+name+" of five minutes, over the range shown. A lost probe counts as slower than all others. No bounds are drawn: probes of one time resemble each other, and the capacity review (./phasewise report) has intervals that allow for it.",
		do).Within(fastest, horizon)
}

// Fleet: every cluster on one line.
var (
	FleetP99 = fleet("p99, 5 min", signal.Seconds, `max by (cluster, profile) (`+endToEnd+`_by_cluster:quantile5m{quantile="0.99"})`,
		"The 99th percentile end to end of the last five minutes.", "Open the overview of the cluster on top.")
	FleetBudget = fleet("budget left", signal.Ratio, `max by (cluster, profile) (kafka_canary:slo_budget_remaining:ratio30d{slo="latency"})`,
		"The part of the error budget of 30 days that is not used yet.", "Negative: the objective is missed.").OrEmpty(needsMinutes)
	FleetBurn = fleet("burn 1h", signal.Multiple, `max by (cluster, profile) (kafka_canary:slo_burn_rate:ratio1h{slo="latency"})`,
		"How fast the error budget burned in the last hour.", "Above 14.4: somebody should work on it.")
	FleetBrokers = fleet("brokers measured", signal.Count, `count by (cluster, profile) (count by (cluster, profile, leader) (rate(kafka_canary_probes_total{outcome=~"delivered|late"}[5m]) > 0))`,
		"Leaders from which probes came back in the last five minutes; lost ones do not count.", "Fewer than the cluster has brokers: one is down, or leads no partition of the canary's.")
	FleetVersions = show("Brokers by version of Kafka", signal.Count, `count by (cluster, version) (kafka_server_app_info_version{`+ours+`})`,
		"How many brokers of each cluster run which version.", "Two versions in a cluster: an upgrade under way, or one that was forgotten.")
	FleetTrend = show("p99 by cluster", signal.Seconds,
		worst("cluster", `max by (cluster) (`+endToEnd+`_by_cluster:quantile5m{quantile="0.99",profile="$profile"})`),
		"The clusters whose p99 was highest over the time shown.", "Several at once: what do they share? A network, a region, a release.").
		Named("{{cluster}}").Within(fastest, horizon)
	FleetAlerts = show("Firing alerts of all clusters", signal.Count,
		`count by (cluster, alertname, severity) (ALERTS{alertstate="firing",severity!="none"})`,
		"What Prometheus alerts on now, for every cluster.",
		"The same alert on many clusters: look for what they share before you look at any of them.").OrEmpty(nothingWrong)
)

func fleet(name string, unit signal.Unit, query, read, do string) signal.Signal {
	s := show(name, unit, query, read, do)
	if unit == signal.Ratio {
		return s.Within(-100, 1)
	}
	return s
}
