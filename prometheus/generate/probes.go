// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// recentIncrease is the increase over the window where two samples are in it, otherwise over twice or four times the window. The longer windows count only
// what the canary's last scrape still had: a series that is gone leaves with the shortest window.
func recentIncrease(selector string, window duration) string {
	// min: two Prometheus servers with one store scrape a canary at different times.
	current := fill(`(timestamp(<selector>) >= on (cluster, profile, instance, site) group_left () min by (cluster, profile, instance, site) (timestamp(kafka_canary_slo_target_seconds{job="kafka-canary"})))`,
		names{"selector": selector})
	return fill("avg by (cluster, profile, leader, outcome, verdict, site, instance) ("+
		"increase(<selector>[<window>]) or increase(<selector>[<twice>]) and <current> or increase(<selector>[<four_times>]) and <current>)", names{
		"selector": selector, "window": string(window), "twice": string(window.times(2)), "four_times": string(window.times(4)), "current": current})
}

// delivering are clusters of which some canary got a probe back recently.
func delivering(s settings) string {
	return "(sum by (cluster) (" + recentIncrease(`kafka_canary_probes_total{job="kafka-canary",outcome=~"delivered|late"}`, s.SLO.MostBad.Window) + ") > 0)"
}

// ofCanaryAlerts are the names in the alerts on probes that are no settings.
func ofCanaryAlerts(s settings) names {
	most := s.SLO.MostBad
	recent := func(metric, matchers string, window duration) string {
		return recentIncrease(metric+of(canaryJob, `profile=~"`+s.Profiles+`"`, matchers), window)
	}
	return names{
		"recent.bad":        recent("kafka_canary_slo_probes_total", `verdict="bad"`, most.Window),
		"recent.ended":      recent("kafka_canary_slo_probes_total", "", most.Window),
		"recent.never_back": recent("kafka_canary_probes_total", `outcome=~"lost|send_failed"`, most.Window),
		"last.bad":          recent("kafka_canary_slo_probes_total", `verdict="bad"`, s.SLO.LeaderBad.Last),
		"last.ended":        recent("kafka_canary_slo_probes_total", "", s.SLO.LeaderBad.Last),
		// An election, or a broker that died, is over within ten seconds.
		"leader_bad.lasting":     "11s",
		"leader_bad.evaluations": fmt.Sprint(10/s.AlertInterval.seconds() + 1),
		// As many evaluations as make the time, whether a range is open at its left end (Prometheus 3) or closed.
		"most_bad.lasting":          string(most.For.plus("1s")),
		"most_bad.evaluations":      fmt.Sprint(most.For.seconds()/s.AlertInterval.seconds() + 1),
		"most_bad.for_and_a_minute": string(most.For.plus("1m")),
		"most_bad.four_windows":     string(most.Window.times(4)),
		// Three minutes: as many evaluations as "for" would need.
		"degraded.evaluations": fmt.Sprint(180/s.AlertInterval.seconds() + 1),
		"period_seconds":       fmt.Sprint(s.SLO.Period.seconds()),
	}
}
