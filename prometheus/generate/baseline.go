// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// This file makes rules/kafka-canary-baseline.yml and rules/kafka-canary-excess.yml: what is usual, and by how much it is exceeded. They name nobody: the
// canary does.

import "fmt"

const (
	phaseByLeader  = "kafka_canary:phase_latency_seconds_by_leader"
	phaseByCluster = "kafka_canary:phase_latency_seconds_by_cluster"
)

const baselineComment = `What is usual: the median of each phase's means over baseline.window. Means that are as large as PhaseRegression fires for are left out. Their size
decides, not whether the alert fires: an alert that fires all the time must not end the learning. After a lasting change fewer and fewer samples are left
in the window. With too few of them, every mean counts again. The baseline stays for some days when nothing is learnt at all, as when the canary was away.
`

const excessComment = `By how much each phase exceeds its baseline. That accuses no broker: the canary measures whom probes wait for (kafka-suspect.yml). Without a baseline
nothing exceeds it. Each series over five minutes is recorded over one minute, too: a pause of a few seconds stays in a mean of five minutes long after it is over.
`

// baseline records what is usual of each phase, and by how much that is exceeded.
func baseline(s settings) []ruleFile {
	usual := group{name: "kafka-canary-baseline", interval: s.Baseline.Interval}
	excess := group{name: "kafka-canary-excess", interval: s.Latency[0].Interval}
	for _, name := range []string{phaseByLeader, phaseByCluster} {
		usual.rules = append(usual.rules, learning(s, name)...)
		for _, w := range s.Latency {
			excess.rules = append(excess.rules,
				recording(fmt.Sprintf("%s:excess%s", name, w.Window), fmt.Sprintf("%s:mean%s - %s:baseline%s", name, w.Window, name, s.Baseline.Window)))
		}
	}
	return []ruleFile{
		{path: "rules/kafka-canary-baseline.yml", source: "baseline.go", comment: baselineComment, groups: []group{usual}},
		{path: "rules/kafka-canary-excess.yml", source: "baseline.go", comment: excessComment, groups: []group{excess}},
	}
}

// learning are the rules of one baseline. They run in order: a sample is compared with the baseline before it becomes part of it.
func learning(s settings, name string) []rule {
	window := string(s.Baseline.Window)
	calm, learnt, usual := name+":calm5m", name+":learnt"+window, name+":baseline"+window
	enough := fmt.Sprintf("count_over_time(%s[%s]) >= %d", calm, window, s.Baseline.MinSamples)
	return []rule{
		recording(learnt, fmt.Sprintf("quantile_over_time(0.5, %s[%s])\nand\n%s", calm, window, enough)),
		recording(usual, fmt.Sprintf("last_over_time(%s[%s])", learnt, s.Baseline.KeptFor)),
		recording(calm, fmt.Sprintf(`(%[1]s:mean5m >= 0)
unless (
  %[1]s:mean5m - %[2]s > %[3]s
  and
  %[1]s:mean5m - %[2]s > %[4]s * %[2]s
  and
  %[5]s
)`, name, usual, number(s.Thresholds.PhaseExcessSeconds), number(s.Thresholds.PhaseExcessRatio), enough)),
	}
}
