// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strings"
)

const (
	beyondByLeader  = "kafka_canary:beyond_probes_by_leader:ratio"
	beyondByCluster = "kafka_canary:beyond_probes_by_cluster:ratio"
)

const beyondComment = `Probes that never came back, of all: they are in no histogram and took longer than any. One that came back after it had been given up is in the
histogram, so it is taken off here. Percentiles end to end count them: with a share s of them, the percentile q is q / (1 - s) of the rest. A query cannot
ask another percentile of each series, so s is rounded to a quarter of 1 - q; from 1 - q on, the percentile is +Inf.
`

// beyondRatio is the share, 0 to 1, of the probes that ended within the window and never came back.
func beyondRatio(name, labels, window string) rule {
	sum := func(metric, more string) string {
		return fmt.Sprintf("sum by (%s) (%s)", labels, perCanary("cluster, profile, leader"+more, fmt.Sprintf("rate(%s[%s])", metric, window)))
	}
	never := sum("kafka_canary_probes_total"+of(canaryJob, `outcome=~"lost|send_failed"`), ", outcome")
	return recording(name+window, fmt.Sprintf("clamp_min(%s - %s or %s, 0)\n/\n(%s > 0)",
		never, sum("kafka_canary_resurfaced_total"+ofCanary, ""), never, sum("kafka_canary_probes_total"+ofCanary, ", outcome")))
}

// percentilesOfAll are percentiles with what never came back as longer than everything. Nearly always nothing is lost, and then each costs
// one look at the rate; the rates of those with losses are recorded apart.
func (h histogram) percentilesOfAll(name, beyond, labels string, back, step duration, all []float64) []rule {
	ratio, lossy := beyond+h.window, name+":lossy_rate"+h.window
	rate := fmt.Sprintf("last_over_time(%s:rate%s[%s])", name, h.window, back)
	rules := []rule{recording(lossy, fmt.Sprintf("%s and on (%s) (%s > 0)", rate, labels, ratio))}
	for _, q := range all {
		tail := 1 - q
		parts := []string{fmt.Sprintf("histogram_quantile(%s, %s unless on (%s) (%s >= %s))", number(q), rate, labels, ratio, rounded(tail/8))}
		for eighth := 1.0; eighth < 8; eighth += 2 {
			to := math.Min(eighth+2, 8)
			share := tail * (eighth + to) / 16
			parts = append(parts, fmt.Sprintf("histogram_quantile(%s, last_over_time(%s[%s]) and on (%s) (%s >= %s < %s))",
				rounded(q/(1-share)), lossy, step, labels, ratio, rounded(tail*eighth/8), rounded(tail*to/8)))
		}
		parts = append(parts, fmt.Sprintf("Inf * (%s >= %s)", ratio, rounded(tail)))
		rules = append(rules, recording(name+":quantile"+h.window, strings.Join(parts, "\nor\n")).labelled("quantile", number(q)))
	}
	return rules
}

// rounded is without the last digits, in which 1 - 0.99 is no longer 0.01.
func rounded(value float64) string { return number(math.Round(value*1e9) / 1e9) }
