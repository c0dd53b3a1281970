// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"strings"
)

const (
	beyondByLeader  = "kafka_canary:beyond_probes_by_leader:ratio"
	beyondByCluster = "kafka_canary:beyond_probes_by_cluster:ratio"
)

const beyondComment = `Share of the probes that never came back. They are in no histogram, and took longer than every probe that is. A probe that came back after it had been
given up is in the histogram, so it is subtracted here. Percentiles end to end count the probes that never came back: with a share s of them, percentile q
of all is percentile q / (1 - s) of the rest. A query cannot ask each series for another percentile, so s is rounded to a quarter of 1 - q. Where s is
1 - q or more, the percentile is +Inf.
`

// beyondRatio is the share, 0 to 1, of the probes that ended within the window and never came back.
func beyondRatio(name, labels, window string) rule {
	sum := func(metric, more string) string {
		return fill("sum by (<labels>) (avg by (cluster, profile, leader<more>, site, instance) (rate(<metric>[<window>])))",
			names{"labels": labels, "more": more, "metric": metric, "window": window})
	}
	return recording(name+window, fill(`clamp_min(<never_back> - <came_back> or <never_back>, 0)
/
(<all> > 0)`, names{
		"never_back": sum(`kafka_canary_probes_total{job="kafka-canary",outcome=~"lost|send_failed"}`, ", outcome"),
		"came_back":  sum(`kafka_canary_resurfaced_total{job="kafka-canary"}`, ""),
		"all":        sum(`kafka_canary_probes_total{job="kafka-canary"}`, ", outcome"),
	}))
}

// percentilesOfAll are percentiles that count a probe that never came back as longer than every other. Nearly always nothing is lost, and then each
// percentile reads the rate once. The rates of leaders with losses are recorded apart.
func (h histogram) percentilesOfAll(name, beyond, labels string, back, step duration, all []float64) []rule {
	ratio, lossy := beyond+h.window, name+":lossy_rate"+h.window
	rate := fill("last_over_time(<name>:rate<window>[<back>])", names{"name": name, "window": h.window, "back": string(back)})
	rules := []rule{recording(lossy, fill("<rate> and on (<labels>) (<lost> > 0)", names{"rate": rate, "labels": labels, "lost": ratio}))}
	for _, q := range all {
		tail := 1 - q
		parts := []string{fill("histogram_quantile(<q>, <rate> unless on (<labels>) (<lost> >= <from>))",
			names{"q": number(q), "rate": rate, "labels": labels, "lost": ratio, "from": rounded(tail / 8)})}
		for eighth := 1.0; eighth < 8; eighth += 2 {
			to := math.Min(eighth+2, 8)
			share := tail * (eighth + to) / 16
			parts = append(parts, fill("histogram_quantile(<q>, last_over_time(<lossy>[<step>]) and on (<labels>) (<lost> >= <from> < <to>))", names{
				"q": rounded(q / (1 - share)), "lossy": lossy, "step": string(step), "labels": labels, "lost": ratio,
				"from": rounded(tail * eighth / 8), "to": rounded(tail * to / 8)}))
		}
		parts = append(parts, fill("Inf * (<lost> >= <tail>)", names{"lost": ratio, "tail": rounded(tail)}))
		rules = append(rules, recording(name+":quantile"+h.window, strings.Join(parts, "\nor\n")).labelled("quantile", number(q)))
	}
	return rules
}

// rounded cuts off the last digits, because 1 - 0.99 is not exactly 0.01 in floating point.
func rounded(value float64) string { return number(math.Round(value*1e9) / 1e9) }
