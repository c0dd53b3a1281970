// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

const suspectComment = `Which phase and which broker stand out: against their own past (excess over the baseline) and against each other (outliers).
The robust statistic is the median and the median absolute deviation (MAD; times 1.4826 it estimates a standard deviation): one bad broker in
three moves neither much. Fewer than three brokers have no outlier.
`

const (
	phaseByLeader  = "kafka_canary:phase_latency_seconds_by_leader"
	phaseByCluster = "kafka_canary:phase_latency_seconds_by_cluster"
)

// latencyAlerts are those in whose presence nothing is learnt about what is normal.
const latencyAlerts = "MostProbesBad|SLOFastBurn|EndToEndP99High|PhaseRegression|BrokerDegraded|CatchUpGrowing|CanaryStarved"

const baselineComment = `What is normal: the median of each phase's means, leaving out the times at which a latency alert fired. After a lasting change the alert fires until
the window holds too few calm samples; then the baseline is learnt anew.
`

// suspect records baselines, and by how much they are exceeded and by whom.
func suspect(s settings) []ruleFile {
	baseline := group{name: "kafka-canary-baseline", interval: s.Baseline.Interval}
	excess := group{name: "kafka-canary-excess", interval: s.Latency[0].Interval}
	for _, name := range []string{phaseByLeader, phaseByCluster} {
		calm := name + ":calm5m"
		learnt := name + ":baseline" + string(s.Baseline.Window)
		baseline.rules = append(baseline.rules,
			recording(calm, fmt.Sprintf("(%s:mean5m >= 0)\nunless on (cluster, profile)\ngroup by (cluster, profile) (ALERTS{alertname=~\"%s\", alertstate=\"firing\"})",
				name, latencyAlerts)),
			recording(learnt, fmt.Sprintf("quantile_over_time(0.5, %s[%s])\nand\ncount_over_time(%s[%s]) >= %d",
				calm, s.Baseline.Window, calm, s.Baseline.Window, s.Baseline.MinSamples)))
		for _, w := range s.Latency {
			excess.rules = append(excess.rules,
				recording(fmt.Sprintf("%s:excess%s", name, w.Window), fmt.Sprintf("%s:mean%s - %s", name, w.Window, learnt)))
		}
	}
	return []ruleFile{
		{path: "rules/kafka-canary-baseline.yml", comment: baselineComment, groups: []group{baseline}},
		{path: "rules/kafka-canary-suspect.yml", comment: suspectComment, groups: []group{excess, outliers(s.Thresholds)}},
	}
}

func outliers(t thresholds) group {
	const (
		own      = "kafka_canary:leader_own_latency_seconds:mean5m"
		median   = "kafka_canary:leader_own_latency_seconds:median5m"
		mad      = "kafka_canary:leader_own_latency_seconds:mad5m"
		over     = "kafka_canary:leader_own_latency_seconds:excess5m"
		waits    = "kafka_canary:commit_excess_seconds:mean5m"
		lag      = "kafka_broker:replica_lag_records:mean5m"
		peers    = "on (cluster, profile) group_left ()"
		perLevel = "by (cluster, profile)"

		waitsMedian = "kafka_canary:commit_excess_seconds:median5m"
	)
	calm := fmt.Sprintf("%s < on (cluster, profile) group_left () (0.25 * %s)", waits, waitsMedian)
	onlyOne := fmt.Sprintf("%s and on (cluster, profile) count %s (%s) == 1", calm, perLevel, calm)
	return group{name: "kafka-canary-outliers", interval: "15s", rules: []rule{
		recording(own, "sum by (cluster, profile, leader) ("+phaseByLeader+`:mean5m{phase!~"commit|mirror"} >= 0)`).
			commented("What a leader itself answers for: all but commit, in which it waits for its followers, and mirror, which is MirrorMaker's."),
		recording(median, fmt.Sprintf("quantile %s (0.5, %s)", perLevel, own)),
		recording(mad, fmt.Sprintf("quantile %s (0.5, abs(%s - %s %s))", perLevel, own, peers, median)),
		recording(over, fmt.Sprintf(`(%[1]s - %[2]s %[3]s)
> %[2]s (%[4]s * 1.4826 * %[5]s)
> %[2]s (%[6]s * %[3]s)
> %[7]s
and on (cluster, profile)
count %[8]s (%[1]s) >= 3`,
			own, peers, median, number(t.OutlierDeviations), mad, number(t.OutlierRatio), number(t.OutlierSeconds), perLevel)).
			commented("Leaders that are outliers among their peers, by how much they are over the median."),
		recording(waits, "("+phaseByLeader+`:excess5m{phase="commit"})`).
			commented("By how much longer than usual a leader waits for its followers; and the median of the leaders."),
		recording(waitsMedian, fmt.Sprintf("quantile %s (0.5, %s)\nand\ncount %s (%s) >= 3", perLevel, waits, perLevel, waits)),
		recording(lag, "max by (cluster, broker) (avg_over_time(kafka_server_replicafetchermanager_maxlag[5m]))"),
		recording("kafka_canary:slow_follower:excess5m", fmt.Sprintf(`max by (cluster, profile, broker) (
  label_replace(0 * (%s), "broker", "$1", "leader", "(.+)")
  + on (cluster, profile) group_left () (%s > %s)
)
or
max by (cluster, profile, broker) (
  (
    label_replace(0 * %s, "broker", "$1", "leader", "(.+)")
    and on (cluster, broker) (
      (%s >= %s)
      and
      %s >= on (cluster) group_left () (%s * quantile by (cluster) (0.5, %s))
      and on (cluster)
      count by (cluster) (%s) >= 3
    )
  )
  + on (cluster, profile) group_left () (max %s (%s) > %s)
)`,
			onlyOne, waitsMedian, number(t.OutlierSeconds),
			own, lag, number(t.FollowerLagRecords), lag, number(t.FollowerLagRatio), lag, lag,
			perLevel, waits, number(t.OutlierSeconds))).
			commented(`Brokers that are slow as followers, by how much longer than usual leaders wait. Either all but one leader wait: they wait for that one (where every
broker has a replica of everything, as with three brokers and three replicas). Or a broker's replicas lag behind those of its peers.`),
	}}
}
