// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
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
	budget       = "group_left () (1 - kafka_canary:slo_objective:ratio)"
)

// allCanaries is a rate by cluster and profile of a counter that has these labels of its own.
func allCanaries(labels, counter string) string {
	return fmt.Sprintf("sum by (cluster, profile) (%s)", perCanary("cluster, profile, "+labels, "rate("+counter+"[5m])"))
}

// slo records error ratios, burn rates and the remaining budget.
func slo(s settings) ruleFile {
	base := group{
		name: "kafka-canary-slo",
		// The windows below count these samples.
		interval: s.SLO.Windows[0].Interval,
		rules: []rule{
			recording("kafka_canary:slo_objective:ratio",
				"max by (cluster, profile) (kafka_canary_slo_objective_ratio"+ofCanary+")").labelled("slo", "latency"),
			recording("kafka_canary:slo_objective:ratio",
				fmt.Sprintf("%s * group by (cluster, profile) (kafka_canary_slo_objective_ratio%s)",
					number(s.SLO.AvailabilityObjective), ofCanary)).labelled("slo", "availability"),
			recording("kafka_canary:slo_probes:rate5m",
				allCanaries("leader, verdict", "kafka_canary_slo_probes_total"+ofCanary)).labelled("slo", "latency"),
			recording("kafka_canary:slo_bad_probes:rate5m",
				allCanaries("leader, verdict", "kafka_canary_slo_probes_total"+of(canaryJob, `verdict="bad"`))).labelled("slo", "latency"),
			recording("kafka_canary:slo_probes:rate5m",
				allCanaries("leader, outcome", "kafka_canary_probes_total"+ofCanary)).labelled("slo", "availability"),
			recording("kafka_canary:slo_bad_probes:rate5m",
				allCanaries("leader, outcome", "kafka_canary_probes_total"+of(canaryJob, `outcome=~"lost|send_failed"`))).
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
	return ruleFile{path: "rules/kafka-canary-slo.yml", comment: sloComment, groups: groups}
}

// burn is one window: probes and bad ones in it, their ratio, how much of it was observed, and the burn rate.
func burn(s settings, window duration) []rule {
	w := string(window)
	if window == baseWindow {
		ratio := badRatio(w)
		return []rule{
			recording(sloProbes+":increase"+w, sloProbes+":rate5m * 300"),
			recording(sloBadProbes+":increase"+w, sloBadProbes+":rate5m * 300"),
			ratio,
			recording(sloBurnRate+w, fmt.Sprintf("%s / on (cluster, profile, slo) %s", ratio.record, budget)),
		}
	}
	return append(counts(s, window), badRatio(w), burnOf(w))
}

// counts are the probes of one window, and how much of it was observed.
func counts(s settings, window duration) []rule {
	step := s.SLO.Windows[0].Interval.seconds()
	w := string(window)
	return []rule{
		recording(sloProbes+":increase"+w, fmt.Sprintf("sum_over_time(%s:rate5m[%s]) * %d", sloProbes, w, step)),
		recording(sloBadProbes+":increase"+w, fmt.Sprintf("sum_over_time(%s:rate5m[%s]) * %d", sloBadProbes, w, step)),
		recording(sloObserved+w, fmt.Sprintf("clamp_max(count_over_time(%s:rate5m[%s]) * %d / %d, 1)", sloProbes, w, step, window.seconds())),
	}
}

// burnOfSteps is as burn, from the counts of steps that follow each other: a window of 30 days then reads some ten thousand samples and not 172,800.
func burnOfSteps(window, step duration) []rule {
	w, of := string(window), string(step)
	return []rule{
		recording(sloProbes+":increase"+w, fmt.Sprintf("sum_over_time(%s:increase%s[%s])", sloProbes, of, w)),
		recording(sloBadProbes+":increase"+w, fmt.Sprintf("sum_over_time(%s:increase%s[%s])", sloBadProbes, of, w)),
		recording(sloObserved+w, fmt.Sprintf("clamp_max(sum_over_time(%s%s[%s]) * %d / %d, 1)", sloObserved, of, w, step.seconds(), window.seconds())),
		badRatio(w),
		burnOf(w),
	}
}

func badRatio(w string) rule {
	return recording(sloBadProbes+":ratio"+w, fmt.Sprintf("%s:increase%s / (%s:increase%s > 0)", sloBadProbes, w, sloProbes, w))
}

func burnOf(w string) rule {
	return recording(sloBurnRate+w, fmt.Sprintf("%s:ratio%s * %s%s / on (cluster, profile, slo) %s", sloBadProbes, w, sloObserved, w, budget))
}
