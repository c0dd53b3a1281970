// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

const canaryNext = "see whether the canary's process runs and answers on /-/healthy, then read its log."

// canaryDown is the alert that nobody measures any more; it remembers who measured what.
func canaryDown(s settings) group {
	const targets = "kafka_canary:targets_by_cluster:last1h"
	g := alertGroup(s, "kafka-canary-down",
		alert{
			name: "CanaryDown", severity: critical, team: teamMonitoring, forTime: "30s",
			comment: `Nobody measures a cluster: every canary that did so within the last hour is down or no longer a target. A cluster that was taken out of
the configuration of a canary that is up does not count. Second part: no canary is up at all and none was within the last hour.
for: a restart of the canary (some 10 s) and one lost scrape pass unseen; with scrape (5 s) and evaluation (5 s) it fires within 40 s.`,
			expr: `(
  group by (cluster) (` + targets + `)
  unless
  group by (cluster) (` + targets + ` and on (job, instance) up{job="kafka-canary"} == 1)
)
or
(
  absent(up{job="kafka-canary"} == 1)
  unless on ()
  ` + targets + `
)`,
			summary: "No canary measures {{ with $labels.cluster }}Kafka cluster {{ . }}{{ else }}any Kafka cluster{{ end }}",
			figures: "For 30 seconds no canary has been up that measures {{ with $labels.cluster }}cluster {{ . }} (within the last hour it was measured by " +
				`{{ range $i, $target := printf "` + targets + `{cluster=%q}" . | query | sortByLabel "instance" }}{{ if $i }}, {{ end }}{{ .Labels.instance }}{{ end }})` +
				"{{ else }}any cluster, nor was one within the last hour{{ end }}: its latency is unknown and no latency alert can fire.",
			next: canaryNext,
		},
		alert{
			name: "CanaryDown", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "One canary of several is down: measuring goes on, without a spare.",
			expr: `(` + targets + ` and on (job, instance) up{job="kafka-canary"} == 0)
and on (cluster)
(` + targets + ` and on (job, instance) up{job="kafka-canary"} == 1)`,
			summary: "Canary {{ $labels.instance }} is down, others still measure Kafka cluster {{ $labels.cluster }}",
			figures: "Canary {{ $labels.instance }} has not answered for 5 minutes. Another one still measures cluster {{ $labels.cluster }}; if that fails too, its latency is unknown.",
			next:    canaryNext,
		})
	g.rules = append([]rule{recording(targets,
		`group by (cluster, job, instance) (last_over_time(kafka_canary_probes_scheduled_total{job="kafka-canary"}[1h]))`).
		commented("Which target measured which cluster within the last hour. An alert about a canary that is gone can then still name its clusters.")},
		g.rules...)
	return g
}

// canaryAlerts are about the canary's own trustworthiness.
func canaryAlerts(s settings) []alert {
	t := s.Thresholds
	return []alert{
		{
			name: "CanaryStarved", severity: warning, team: teamMonitoring,
			comment: `The canary's own process stands still so often that this can account for half of the bad probes, and for a good part of the time: a probe that
takes seconds, because Kafka is slow, has met some short stall almost always. No for: it must be there when the latency alerts that it inhibits are.`,
			expr: fmt.Sprintf(`(
  sum by (cluster) (rate(kafka_canary_stalled_probes_total[1m]))
  / sum by (cluster) (rate(kafka_canary_probes_total[1m]))
) > %s
and
sum by (cluster) (rate(kafka_canary_stalled_probes_total[1m]))
>= 0.5 * sum by (cluster) (rate(kafka_canary_slo_probes_total{verdict="bad"}[1m]))
and
max by (cluster) (
  group by (cluster, job, instance) (kafka_canary_slo_target_seconds)
  * on (job, instance) group_left () rate(kafka_canary_stalled_seconds_total[1m])
) > %s`, number(t.StarvedRatio), number(t.StarvedTimeRatio)),
			summary: "The canary of Kafka cluster {{ $labels.cluster }} is starved: its latencies are its own",
			figures: "On the way of {{ $value | humanizePercentage }} of the last minute's probes of cluster {{ $labels.cluster }} the canary's process stood still for more than 20 ms, which can explain at least half of those that were bad. Latency alerts of the cluster are held back.",
			next:    "look at processor, memory and garbage collection of the canary's host; give it a core of its own.",
		},
		{
			name: "ClockUncertain", severity: warning, team: teamMonitoring, forTime: "10m", leader: "broker",
			expr:    fmt.Sprintf("max by (cluster, broker) (kafka_canary_clock_uncertainty_seconds) > %s", number(t.ClockUncertaintySeconds)),
			summary: "Kafka cluster {{ $labels.cluster }}: publish and commit on broker {{ $labels.broker }} are known to {{ $value | humanizeDuration }} only",
			figures: "For ten minutes the canary has known the clock of broker {{ $labels.broker }} of cluster {{ $labels.cluster }} only to {{ $value | humanizeDuration }}: where publish ends and commit begins is not known any better. End to end is not affected.",
			next:    "see whether the broker's clock steps or drifts (kafka_canary_clock_steps_total, chronyc tracking), and whether any probe to it is fast.",
		},
	}
}
