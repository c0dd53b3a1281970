// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

// BurnRate is how fast the error budget burns over a window, as recorded.
func BurnRate(window string) signal.Signal {
	return show("burn "+window, signal.Multiple, fill(`kafka_canary:slo_burn_rate:ratio<window>{<cluster>,slo="latency"}`, names{"window": window}),
		"How fast the error budget burns, over "+window+". 1: exactly as fast as the objective allows.",
		"At 14.4 a 30-day budget loses 2 % in an hour, which is worth waking somebody: find phase and broker in the matrix.")
}

var (
	BudgetLeft = show("Budget left", signal.Ratio, `kafka_canary:slo_budget_remaining:ratio30d{<cluster>,slo="latency"}`,
		"The part of the error budget (probes that may be bad in 30 days) that is not used yet. 100 %: untouched. Negative: the objective is missed.",
		"Below a quarter, stop what is risky (rolling restarts, reassignments) and find what spends it: the burn rate says when it was spent.").
		Within(-100, 1).OrEmpty(needsMinutes)

	GoodProbes = show("Within target", signal.Ratio,
		`1 - sum(rate(kafka_canary_slo_probes_total{<cluster>,verdict="bad"}[5m])) / sum(rate(kafka_canary_slo_probes_total{<cluster>}[5m]))`,
		"The share of the last five minutes' probes that reached the consumer within the target; a lost one never does.",
		"Below the objective (99 % unless you set another) the budget shrinks: the matrix names phase and broker.")

	BadByLeader = worstLeader("Bad probes, by leader", signal.Ratio,
		`sum by (leader) (rate(kafka_canary_slo_probes_total{<leader>,verdict="bad"}[$__rate_interval])) / `+
			`sum by (leader) (rate(kafka_canary_slo_probes_total{<leader>}[$__rate_interval]))`,
		"The share of probes that were over the target, lost or not sent. A lost probe counts at its deadline, so a dead broker shows within seconds.",
		"Above the dashed line the budget shrinks. One leader: drill down into its phases.")

	AllowedBad = show("allowed", signal.Ratio, `1 - max(kafka_canary_slo_objective_ratio{<cluster>})`,
		"Dashed: the share of bad probes that the objective allows in the long run.", "It is a setting of the canary (slo.objective).")

	Firing = show("Firing alerts", signal.Seconds,
		`max by (alertname, severity, leader, broker) ((time() - ALERTS_FOR_STATE{severity!="none",cluster=~"$cluster|"}) and ignoring (alertstate) ALERTS{alertstate="firing",cluster=~"$cluster|"})`,
		"What Prometheus alerts on now, for this cluster or for the monitoring itself, and for how long the condition has held.",
		"Begin with the critical one that is oldest; its notification links to the runbook (alerting/runbooks).").Within(0, 3e7).OrEmpty(nothingWrong)

	BrokersDown = show("Brokers down", signal.Count,
		`count(max by (broker, instance) (up{job="kafka-broker",cluster="$cluster"} == 0) or `+
			`max by (broker, instance) (kafka_exporter_kafka_node{job="kafka-broker",cluster="$cluster"} == 0)) or `+
			`0 * count(up{job="kafka-broker",cluster="$cluster"}) or `+
			`0 * max(kafka_canary_slo_objective_ratio{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"})`,
		"Brokers of this cluster whose exporter does not answer Prometheus, or whose exporter's port answers from a JVM without Kafka.",
		"If the broker is down, start it. If only its exporter is down, the panels do not show the broker: read the broker's log.")
)
