// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"fmt"

	"phasewise.io/dashboards/internal/signal"
)

const ofLatencySLO = ofCluster + `,slo="latency"`

// BurnRate is how fast the error budget burns over a window, as recorded.
func BurnRate(window string) signal.Signal {
	return signal.Signal{
		Name:  "burn " + window,
		Query: fmt.Sprintf(`kafka_canary:slo_burn_rate:ratio%s{%s}`, window, ofLatencySLO),
		Unit:  signal.Multiple,
		Read:  "How fast the error budget burns, over " + window + ". 1: exactly as fast as the objective allows.",
		Do:    "At 14.4 a 30-day budget loses 2 % in an hour, which is worth waking somebody: find phase and broker in the matrix.",
	}
}

var (
	BudgetLeft = signal.Signal{
		Name:      "Budget left",
		Query:     fmt.Sprintf(`kafka_canary:slo_budget_remaining:ratio30d{%s}`, ofLatencySLO),
		Unit:      signal.Ratio,
		Read:      "The part of the error budget (probes that may be bad in 30 days) that is not used yet. 100 %: untouched. Negative: the objective is missed.",
		Do:        "Below a quarter, stop what is risky (rolling restarts, reassignments) and find what spends it: the burn rate says when it was spent.",
		Plausible: signal.Range{Low: -100, High: 1},

		MayBeEmpty: needsMinutes,
	}

	GoodProbes = signal.Signal{
		Name: "Within target",
		Query: fmt.Sprintf(`1 - sum(rate(kafka_canary_slo_probes_total{%[1]s,verdict="bad"}[5m])) / sum(rate(kafka_canary_slo_probes_total{%[1]s}[5m]))`,
			ofCluster),
		Unit: signal.Ratio,
		Read: "The share of the last five minutes' probes that reached the consumer within the target; a lost one never does.",
		Do:   "Below the objective (99 % unless you set another) the budget shrinks: the matrix names phase and broker.",
	}

	BadByLeader = signal.Signal{
		Name: "Bad probes, by leader",
		Query: worst("leader", fmt.Sprintf(`sum by (leader) (rate(kafka_canary_slo_probes_total{%[1]s,verdict="bad"}[$__rate_interval])) / `+
			`sum by (leader) (rate(kafka_canary_slo_probes_total{%[1]s}[$__rate_interval]))`, ofLeader)),
		Unit:   signal.Ratio,
		Legend: "leader {{leader}}",
		Read:   "The share of probes that were over the target, lost or not sent. A lost probe counts at its deadline, so a dead broker shows within seconds.",
		Do:     "Above the dashed line the budget shrinks. One leader: drill down into its phases.",
	}

	AllowedBad = signal.Signal{
		Name:  "allowed",
		Query: fmt.Sprintf(`1 - max(kafka_canary_slo_objective_ratio{%s})`, ofCluster),
		Unit:  signal.Ratio,
		Read:  "Dashed: the share of bad probes that the objective allows in the long run.",
		Do:    "It is a setting of the canary (slo.objective).",
	}

	Firing = signal.Signal{
		Name:       "Firing alerts",
		Query:      `max by (alertname, severity, leader, broker) ((time() - ALERTS_FOR_STATE{severity!="none",cluster=~"$cluster|"}) and ignoring (alertstate) ALERTS{alertstate="firing",cluster=~"$cluster|"})`,
		Unit:       signal.Seconds,
		Read:       "What Prometheus alerts on now, for this cluster or for the monitoring itself, and for how long the condition has held.",
		Do:         "Begin with the critical one that is oldest; its notification links to the runbook (alerting/runbooks).",
		Plausible:  signal.Range{Low: 0, High: 3e7},
		MayBeEmpty: nothingWrong,
	}

	BrokersDown = signal.Signal{
		Name: "Brokers down",
		Query: `count(up{job="kafka-broker",cluster="$cluster"}) - sum(up{job="kafka-broker",cluster="$cluster"}) or ` +
			`0 * max(kafka_canary_slo_objective_ratio{cluster="$cluster"})`,
		Unit: signal.Count,
		Read: "Brokers of this cluster whose exporter does not answer Prometheus.",
		Do:   "If the broker is down, start it. If only its exporter is, the broker's panels are blind for it: look at its log.",
	}
)
