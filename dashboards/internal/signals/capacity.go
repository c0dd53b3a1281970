// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"fmt"

	"phasewise.io/dashboards/internal/signal"
)

var (
	P50Long  = percentileLong("p50", "0.5", "It grows with load long after p99 has: by then capacity is already short.")
	P99Long  = percentileLong("p99", "0.99", "Read its trend from week to week: if it grows with load, the next doubling is in the scatter.")
	P999Long = percentileLong("p99.9", "0.999", "It is made of stalls: rather of how many there are than of load.")

	Load = signal.Signal{
		Name:  "load",
		Query: `sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster"}[5m]))`,
		Unit:  signal.BytesPerSec,
		Read:  "Bytes that producers write to the cluster.",
		Do:    "Its growth over the range is your growth: compare its last week with its first.",
	}

	BusiestHandlers = signal.Signal{
		Name:  "utilisation",
		Query: fmt.Sprintf(`max(%s)`, utilisation),
		Unit:  signal.Ratio,
		Read:  "How busy the busiest broker's request handlers are: 1 - idle.",
		Do:    "Plan so that it stays below 70 % with one broker missing.",
	}

	QueueTime1m = signal.Signal{
		Name:  "queue time, measured",
		Query: `max(kafka_broker:request_phase_seconds:mean5m{cluster="$cluster",request="Produce",phase="request_queue"} >= 0)`,
		Unit:  signal.Seconds,
		Read:  "How long produce requests wait for a handler on the broker where they wait longest, on the mean of five minutes.",
		Do:    "Where it leaves the curve upwards, arrivals are burstier than the model: batch more, spread clients. It comes from JMX in whole milliseconds: below half of one it reads 0.",

		MayBeEmpty: needsMinutes,
	}

	// Sakasegawa's approximation (1977) for c servers: wait = service time * rho^(sqrt(2(c+1))-1) / (c (1-rho)), for variabilities of 1. Of
	// each broker by its own figures; shown is the longest.
	Sakasegawa = signal.Signal{
		Name: "queue time, model",
		Query: fmt.Sprintf(`max((kafka_broker:request_phase_seconds:mean5m{cluster="$cluster",request="Produce",phase="local"} >= 0) * on (broker) `+
			`((%[1]s) ^ ((2 * (%[2]s + 1)) ^ 0.5 - 1) / (%[2]s * clamp_min(1 - (%[1]s), 0.01))))`, utilisation, servers),
		Unit: signal.Seconds,
		Read: "What Sakasegawa's formula expects of a pool of c request handlers, for variabilities of 1 and the mean time of the work (local). " +
			"c is num.io.threads, or the processors of the smallest host with a node_exporter, whichever is less.",
		Do: "Its knee is where headroom ends: with eight handlers the wait at 90 % busy is 34 times that at 50 %. The curve says nothing beyond the loads that were measured.",

		MayBeEmpty: needsMinutes,
	}

	LeaderP99 = signal.Signal{
		Name:      "p99 of the leader",
		Query:     fmt.Sprintf(`max by (leader) (%s_by_leader:quantile5m{%s,quantile="0.99"})`, endToEnd, ofCluster),
		Unit:      signal.Seconds,
		Legend:    "leader {{leader}}",
		Read:      "The 99th percentile of five minutes for each leader.",
		Do:        "If it is higher where there are more partitions, spread them or add brokers.",
		Plausible: latency,
	}

	LeaderPartitions = signal.Signal{
		Name:  "replicas on the leader",
		Query: `max by (leader) (label_replace(kafka_server_replicamanager_partitioncount{cluster="$cluster"}, "leader", "$1", "broker", "(.+)"))`,
		Unit:  signal.Count,
		Read:  "Replicas on the broker.",
		Do:    "Each one costs fetches, purgatory and recovery time.",
	}

	LeaderUtilisation = signal.Signal{
		Name:  "handlers busy",
		Query: fmt.Sprintf(`max by (leader) (label_replace(%s, "leader", "$1", "broker", "(.+)"))`, utilisation),
		Unit:  signal.Ratio,
		Read:  "How busy its request handlers are.",
		Do:    "A busy one with average partitions: its partitions are hot; one with many and idle is only full.",
	}

	Growth = signal.Signal{
		Name:       "Growth of load in a week",
		Query:      `sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster"}[1d])) / (sum(rate(kafka_server_brokertopicmetrics_bytesin_total{cluster="$cluster"}[1d] offset 7d)) > 0) - 1`,
		Unit:       signal.Ratio,
		Read:       "The last day's bytes in against those of the same day a week ago.",
		Do:         "At 10 % a week load doubles in seven weeks: compare with the headroom.",
		Plausible:  signal.Range{Low: -1, High: 1000},
		MayBeEmpty: needsADay,
	}

	Headroom = signal.Signal{
		Name:      "Headroom to 70 % busy",
		Query:     fmt.Sprintf(`0.7 / clamp_min(max(%s), 0.001)`, utilisation),
		Unit:      signal.Multiple,
		Read:      "By how much load could grow until the busiest broker's request handlers are 70 % busy, if it grew alike everywhere.",
		Do:        "Below 1.5 you cannot lose a broker of three: add brokers, or balance.",
		Plausible: signal.Range{Low: 0.5, High: 1e5},
	}
)

// servers is how many requests handlers can work on at once. The number of threads is in a label: as the bound of a bucket that holds all
// there is, it is its own highest percentile.
const servers = `scalar(min(` +
	`histogram_quantile(1, label_replace(kafka_broker_config_info{cluster="$cluster"}, "le", "$1", "num_io_threads", "(.+)") ` +
	`or label_replace(kafka_broker_config_info{cluster="$cluster"}, "le", "+Inf", "", "")) ` +
	`or count by (instance) (node_cpu_seconds_total{mode="idle"})))`

const utilisation = `max by (broker) (1 - clamp_max(kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent{cluster="$cluster"} ` +
	`or kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{cluster="$cluster"}, 1))`

// percentileLong is a percentile over all leaders, of five minutes at a time.
func percentileLong(name, quantile, do string) signal.Signal {
	return signal.Signal{
		Name:      name,
		Query:     fmt.Sprintf(`%s_by_cluster:quantile5m{%s,quantile="%s"}`, endToEnd, ofCluster, quantile),
		Unit:      signal.Seconds,
		Read:      "The " + name + " of five minutes, over the range shown. A lost probe counts as slower than all others. No bounds are drawn: probes of one time resemble each other, and the capacity review (./phasewise report) has intervals that allow for it.",
		Do:        do,
		Plausible: latency,
	}
}

// Fleet: every cluster on one line.
var (
	FleetP99 = fleet("p99, 5 min", signal.Seconds, `max by (cluster, profile) (`+endToEnd+`_by_cluster:quantile5m{quantile="0.99"})`,
		"The 99th percentile end to end of the last five minutes.", "Open the overview of the cluster on top.")
	FleetBudget = mayBeEmpty(needsMinutes, fleet("budget left", signal.Ratio, `max by (cluster, profile) (kafka_canary:slo_budget_remaining:ratio30d{slo="latency"})`,
		"The part of the error budget of 30 days that is not used yet.", "Negative: the objective is missed."))
	FleetBurn = fleet("burn 1h", signal.Multiple, `max by (cluster, profile) (kafka_canary:slo_burn_rate:ratio1h{slo="latency"})`,
		"How fast it burned in the last hour.", "Above 14.4: somebody should work on it.")
	FleetBrokers = fleet("brokers measured", signal.Count, `count by (cluster, profile) (count by (cluster, profile, leader) (rate(kafka_canary_probes_total{outcome=~"delivered|late"}[5m]) > 0))`,
		"Leaders from which probes came back in the last five minutes; lost ones do not count.", "Fewer than the cluster has brokers: one is down, or leads no partition of the canary's.")
	FleetVersions = signal.Signal{
		Name:  "Brokers by version of Kafka",
		Query: `count by (cluster, version) (kafka_server_app_info_version)`,
		Unit:  signal.Count,
		Read:  "How many brokers of each cluster run which version.",
		Do:    "Two versions in a cluster: an upgrade under way, or one that was forgotten.",
	}
	FleetTrend = signal.Signal{
		Name:      "p99 by cluster",
		Query:     worst("cluster", `max by (cluster) (`+endToEnd+`_by_cluster:quantile5m{quantile="0.99",profile="$profile"})`),
		Unit:      signal.Seconds,
		Legend:    "{{cluster}}",
		Read:      "The clusters whose p99 was highest over the time shown.",
		Do:        "Several at once: what do they share? A network, a region, a release.",
		Plausible: latency,
	}
	FleetAlerts = signal.Signal{
		Name:       "Firing alerts of all clusters",
		Query:      `count by (cluster, alertname, severity) (ALERTS{alertstate="firing",severity!="none"})`,
		Unit:       signal.Count,
		Read:       "What Prometheus alerts on now, for every cluster.",
		Do:         "The same alert on many clusters: look for what they share before you look at any of them.",
		MayBeEmpty: nothingWrong,
	}
)

func fleet(name string, unit signal.Unit, query, read, do string) signal.Signal {
	s := signal.Signal{Name: name, Query: query, Unit: unit, Read: read, Do: do}
	if unit == signal.Ratio {
		s.Plausible = signal.Range{Low: -100, High: 1}
	}
	return s
}
