// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
)

const sloComment = `Two objectives for each cluster and profile, distinguished by the label slo:
  latency       probes delivered within kafka_canary_slo_target_seconds; objective kafka_canary_slo_objective_ratio
  availability  probes delivered at all; objective slo.availability_objective in settings.yml
Probes that were lost or not sent are bad for both.

What counts is probes that ended. Where there were none - the canary was down, or did not exist yet - nothing is known, and that time counts as
good: a burn rate is the error ratio times the share of its window in which there were probes. So an alert means what it says, that this much of
the budget of 30 days is gone, and a canary that was started five minutes ago does not page for its first bad second.
`

const (
	baseWindow   = duration("5m")
	sloProbes    = "kafka_canary:slo_probes"
	sloBadProbes = "kafka_canary:slo_bad_probes"
	sloObserved  = "kafka_canary:slo_observed:ratio"
	sloBurnRate  = "kafka_canary:slo_burn_rate:ratio"
)

// allCanaries is a rate by cluster and profile of a counter that has these labels of its own.
func allCanaries(labels, counter string) string {
	return fill("sum by (cluster, profile) (avg by (cluster, profile, <labels>, site, instance) (rate(<counter>[5m])))",
		names{"labels": labels, "counter": counter})
}

// slo records error ratios, burn rates and the remaining budget.
func slo(s settings) ruleFile {
	base := group{
		name: "kafka-canary-slo",
		// The windows below count these samples.
		interval: s.SLO.Windows[0].Interval,
		rules: []rule{
			recording("kafka_canary:slo_objective:ratio",
				`max by (cluster, profile) (kafka_canary_slo_objective_ratio{job="kafka-canary"})`).labelled("slo", "latency"),
			recording("kafka_canary:slo_objective:ratio",
				fill(`<objective> * group by (cluster, profile) (kafka_canary_slo_objective_ratio{job="kafka-canary"})`,
					names{"objective": number(s.SLO.AvailabilityObjective)})).labelled("slo", "availability"),
			recording("kafka_canary:slo_probes:rate5m",
				allCanaries("leader, verdict", `kafka_canary_slo_probes_total{job="kafka-canary"}`)).labelled("slo", "latency"),
			recording("kafka_canary:slo_bad_probes:rate5m",
				allCanaries("leader, verdict", `kafka_canary_slo_probes_total{job="kafka-canary",verdict="bad"}`)).labelled("slo", "latency"),
			recording("kafka_canary:slo_probes:rate5m",
				allCanaries("leader, outcome", `kafka_canary_probes_total{job="kafka-canary"}`)).labelled("slo", "availability"),
			recording("kafka_canary:slo_bad_probes:rate5m",
				allCanaries("leader, outcome", `kafka_canary_probes_total{job="kafka-canary",outcome=~"lost|send_failed"}`)).
				labelled("slo", "availability"),
		},
	}
	groups := []group{base}
	for _, w := range s.SLO.Windows {
		at := slices.IndexFunc(groups, func(g group) bool { return g.interval == w.Interval })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{name: "kafka-canary-slo-every-" + string(w.Interval), interval: w.Interval})
		}
		if w.Stepwise {
			groups[at].rules = append(groups[at].rules, counts(s, w.Interval)...)
			groups[at].rules = append(groups[at].rules, burnOfSteps(w.Window, w.Interval)...)
		} else {
			groups[at].rules = append(groups[at].rules, burn(s, w.Window)...)
		}
	}
	last := len(groups) - 1
	period := string(s.SLO.Period)
	groups[last].rules = append(groups[last].rules,
		recording("kafka_canary:slo_budget_remaining:ratio"+period, "1 - kafka_canary:slo_burn_rate:ratio"+period).
			commented("1 is untouched, 0 used up, negative overdrawn."))
	return ruleFile{path: "rules/kafka-canary-slo.yml", source: "slo.go", comment: sloComment, groups: groups}
}

// burn is one window: probes and bad ones in it, their ratio, how much of it was observed, and the burn rate.
func burn(s settings, window duration) []rule {
	if window == baseWindow {
		return []rule{
			recording("kafka_canary:slo_probes:increase5m", "kafka_canary:slo_probes:rate5m * 300"),
			recording("kafka_canary:slo_bad_probes:increase5m", "kafka_canary:slo_bad_probes:rate5m * 300"),
			badRatio(window),
			ofWindow(sloBurnRate, window,
				"kafka_canary:slo_bad_probes:ratio<window> / on (cluster, profile, slo) group_left () (1 - kafka_canary:slo_objective:ratio)", nil),
		}
	}
	return append(counts(s, window), badRatio(window), burnOf(window))
}

// counts are the probes of one window, and how much of it was observed.
func counts(s settings, window duration) []rule {
	step := fmt.Sprint(s.SLO.Windows[0].Interval.seconds())
	return []rule{
		ofWindow(sloProbes+":increase", window, "sum_over_time(kafka_canary:slo_probes:rate5m[<window>]) * <step>", names{"step": step}),
		ofWindow(sloBadProbes+":increase", window, "sum_over_time(kafka_canary:slo_bad_probes:rate5m[<window>]) * <step>", names{"step": step}),
		ofWindow(sloObserved, window, "clamp_max(count_over_time(kafka_canary:slo_probes:rate5m[<window>]) * <step> / <seconds>, 1)",
			names{"step": step, "seconds": fmt.Sprint(window.seconds())}),
	}
}

// burnOfSteps is as burn, from the counts of steps that follow each other: a window of 30 days then reads some ten thousand samples and not 172,800.
func burnOfSteps(window, step duration) []rule {
	each := names{"each": string(step)}
	return []rule{
		ofWindow(sloProbes+":increase", window, "sum_over_time(kafka_canary:slo_probes:increase<each>[<window>])", each),
		ofWindow(sloBadProbes+":increase", window, "sum_over_time(kafka_canary:slo_bad_probes:increase<each>[<window>])", each),
		ofWindow(sloObserved, window, "clamp_max(sum_over_time(kafka_canary:slo_observed:ratio<each>[<window>]) * <step> / <seconds>, 1)",
			names{"each": string(step), "step": fmt.Sprint(step.seconds()), "seconds": fmt.Sprint(window.seconds())}),
		badRatio(window),
		burnOf(window),
	}
}

func badRatio(window duration) rule {
	return ofWindow(sloBadProbes+":ratio", window, "kafka_canary:slo_bad_probes:increase<window> / (kafka_canary:slo_probes:increase<window> > 0)", nil)
}

func burnOf(window duration) rule {
	return ofWindow(sloBurnRate, window, "kafka_canary:slo_bad_probes:ratio<window> * kafka_canary:slo_observed:ratio<window>"+
		" / on (cluster, profile, slo) group_left () (1 - kafka_canary:slo_objective:ratio)", nil)
}

// ofWindow records a series whose name ends with its window, which the expression names, too.
func ofWindow(name string, window duration, expr string, values names) rule {
	all := names{"window": string(window)}
	maps.Copy(all, values)
	return recording(name+string(window), fill(expr, all))
}
