// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package overview

import (
	"fmt"

	"phasewise.io/dashboards/internal/signal"
)

// The label matchers that the dashboard's variables stand behind.
const (
	ofCluster = `cluster="$cluster",profile="$profile"`
	ofLeader  = ofCluster + `,leader=~"$leader"`
	ofBroker  = `cluster="$cluster",broker=~"$leader"`
)

// Percentiles of the whole cluster, recorded over one minute: what a user of this cluster gets right now.
func clusterPercentile(name, quantile, description string) signal.Signal {
	return signal.Signal{
		Name: name,
		Query: fmt.Sprintf(`kafka_canary:end_to_end_latency_seconds_by_cluster:quantile1m{%s,quantile="%s"}`,
			ofCluster, quantile),
		Unit:        signal.Seconds,
		Description: description,
	}
}

func leaderPercentile(name, quantile, description string) signal.Signal {
	return signal.Signal{
		Name: name,
		Query: fmt.Sprintf(`kafka_canary:end_to_end_latency_seconds_by_leader:quantile1m{%s,quantile="%s"}`,
			ofLeader, quantile),
		Unit:        signal.Seconds,
		Legend:      "leader {{leader}}",
		Description: description,
	}
}

var (
	p50Now = clusterPercentile("End-to-end p50", "0.5",
		"Half of the last minute's probes took at most this long from being due to being returned by poll(). "+
			"It is the cluster's resting pulse: a p50 that rises on every leader points at the client, its host or the network; "+
			"on one leader, at that broker or one of its followers.")

	p99Now = clusterPercentile("End-to-end p99", "0.99",
		"One probe in a hundred of the last minute took longer than this. "+
			"If it rises while p50 stays, something stalls now and then: a slow follower, a log flush, a garbage collection. "+
			"Find the leader in the panels below.")

	p999Now = clusterPercentile("End-to-end p99.9", "0.999",
		"One probe in a thousand of the last minute took longer than this. At 60 probes a second it rests on about four probes: "+
			"read its trend, not a single value.")

	meanByPhase = signal.Signal{
		Name: "Mean by phase",
		Query: fmt.Sprintf(`histogram_avg(sum by (phase) (kafka_canary:phase_latency_seconds_by_leader:rate1m{%s}))`,
			ofLeader),
		Unit:   signal.Seconds,
		Legend: "{{phase}}",
		Description: "The mean of the last minute, split into the five phases, which add up to it. produce: the client before it sends. " +
			"publish: network to the leader, its queues, the append. commit: waiting for the slowest in-sync follower. " +
			"catch_up: the consumer is behind. fetch: the way back. Choose one leader above to see where the time goes on that broker.",
	}

	burnRate = signal.Signal{
		Name: "SLO burn rate",
		Query: fmt.Sprintf(`(sum(rate(kafka_canary_slo_probes_total{%[1]s,verdict="bad"}[5m])) / `+
			`sum(rate(kafka_canary_slo_probes_total{%[1]s}[5m]))) / `+
			`(1 - max(kafka_canary_slo_objective_ratio{%[1]s}))`, ofCluster),
		Unit: signal.Multiple,
		Description: "How fast the error budget is being spent over five minutes. 1: exactly as fast as the objective allows. " +
			"At 14.4 a 30-day budget loses 2 % in an hour, which is worth waking somebody.",
	}

	badRatio = signal.Signal{
		Name: "Bad probes",
		Query: fmt.Sprintf(`sum by (leader) (rate(kafka_canary_slo_probes_total{%[1]s,verdict="bad"}[$__rate_interval])) / `+
			`sum by (leader) (rate(kafka_canary_slo_probes_total{%[1]s}[$__rate_interval]))`, ofLeader),
		Unit:   signal.Ratio,
		Legend: "leader {{leader}}",
		Description: "The share of probes that missed the latency target, or never arrived. Above the allowed line the error " +
			"budget shrinks. A lost probe counts as bad at its deadline, so a dead broker shows here within seconds.",
	}

	allowedRatio = signal.Signal{
		Name:        "allowed",
		Query:       fmt.Sprintf(`1 - max(kafka_canary_slo_objective_ratio{%s})`, ofCluster),
		Unit:        signal.Ratio,
		Description: "The share of bad probes that the objective allows in the long run.",
	}

	inFlightNow = signal.Signal{
		Name:  "In flight",
		Query: fmt.Sprintf(`sum(kafka_canary_probes_in_flight{%s})`, ofLeader),
		Unit:  signal.Count,
		Description: "Probes that were due and have no outcome yet. About rate times latency when all is well; a steady climb means " +
			"that probes go out and do not come back.",
	}

	inFlight = signal.Signal{
		Name:        "In flight by leader",
		Query:       fmt.Sprintf(`sum by (leader) (kafka_canary_probes_in_flight{%s})`, ofLeader),
		Unit:        signal.Count,
		Legend:      "leader {{leader}}",
		Description: inFlightNow.Description + " One leader alone: that broker or its partition; all of them: the client or the network.",
	}

	targetsUp = signal.Signal{
		Name:  "Targets up",
		Query: `sum(up) / count(up)`,
		Unit:  signal.Ratio,
		Description: "The share of scrape targets that answer. Below 100 % some panels are blind: " +
			"the query up == 0 names the target.",
	}

	p99ByLeader = leaderPercentile("End-to-end p99 by leader", "0.99",
		"One line for each broker, measured on a partition that it leads. One line above the others: that broker, its disk or "+
			"a follower it waits for. All lines together: the client's host, the network, or something every broker shares. "+
			"Logarithmic: a step of one grid line is a factor of ten.")

	p50ByLeader = leaderPercentile("End-to-end p50 by leader", "0.5",
		"The typical probe through each broker. It should be flat and alike for all leaders; "+
			"a lasting step usually follows a configuration or placement change.")

	endToEndHeat = signal.Signal{
		Name:  "End-to-end latency, all probes",
		Query: fmt.Sprintf(`sum(rate(kafka_canary_end_to_end_latency_seconds{%s}[$__rate_interval]))`, ofLeader),
		Unit:  signal.Seconds,
		Description: "Every probe, by its latency: brighter is more probes. Two bands mean two ways through the cluster, such as one slow " +
			"broker; a faint band far up is what percentiles call the tail; vertical stripes are stalls.",
	}

	producerP99 = signal.Signal{
		Name:   "Producer p99 by leader",
		Query:  fmt.Sprintf(`kafka_canary:producer_latency_seconds_by_leader:quantile1m{%s,quantile="0.99"}`, ofLeader),
		Unit:   signal.Seconds,
		Legend: "leader {{leader}}",
		Description: "From send() to the acknowledgement. With acks=all it includes the wait for the in-sync followers, so if it follows " +
			"end-to-end latency the cause is on the way in; if only end-to-end rises, look at the consumer's side.",
	}

	outcomes = signal.Signal{
		Name:   "Outcomes",
		Query:  fmt.Sprintf(`sum by (outcome) (rate(kafka_canary_probes_total{%s}[$__rate_interval]))`, ofLeader),
		Unit:   signal.ProbesPerSec,
		Legend: "{{outcome}}",
		Description: "How probes ended. delivered: in time; late: after the deadline, still measured; lost: not seen within the " +
			"horizon; send_failed: the producer gave up. Anything but delivered deserves a look at the broker's log.",
	}

	handlerIdle = signal.Signal{
		Name: "Request handlers idle",
		// Where a node is broker and controller, the plain metric adds up both pools on the releases that lack the other one.
		Query: fmt.Sprintf(`min by (broker) (kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent{%[1]s} `+
			`or kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{%[1]s})`, ofBroker),
		Unit:   signal.Ratio,
		Legend: "broker {{broker}}",
		Description: "The share of time that a broker's request handler threads wait for work. Below 30 % requests queue and every phase " +
			"gets slower; look for a hot partition, compression on the broker, or too few num.io.threads.",
	}

	underReplicated = signal.Signal{
		Name:   "Under-replicated partitions",
		Query:  fmt.Sprintf(`max by (broker) (kafka_server_replicamanager_underreplicatedpartitions{%s})`, ofBroker),
		Unit:   signal.Count,
		Legend: "broker {{broker}}",
		Description: "Partitions led by this broker with fewer in-sync replicas than assigned. Should be 0. While it is not, a follower is " +
			"down or lags: commits wait for it until it leaves the in-sync set, and fewer copies stand behind each record.",
	}

	firingAlerts = signal.Signal{
		Name: "Firing alerts",
		Query: `max by (alertname, severity, cluster) ((time() - ALERTS_FOR_STATE) ` +
			`and ignoring (alertstate) ALERTS{alertstate="firing"})`,
		Unit:        signal.Seconds,
		Description: "What Prometheus is alerting on now, of any cluster, and since when the condition holds. Each alert's notification links to its runbook.",
	}
)
