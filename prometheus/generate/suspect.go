// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// This file makes rules/kafka-canary-baseline.yml and rules/kafka-canary-suspect.yml: what is usual, and which leaders exceed it. It accuses nobody:
// kafka_suspect is made by evidence.go (rules/kafka-suspect.yml).

import "fmt"

const suspectComment = `Which phase and which leader exceed what is usual: by how much they are over their own baseline (excess), and which leaders are over it by more than
their peers (outliers). From latencies alone. This file accuses nobody: kafka_suspect is in kafka-suspect.yml, which takes its guesses from here.
Healthy brokers differ, too, for example by distance. So only the growth of each is compared. Without a baseline nobody stands out.
Compared are the median and the median absolute deviation (MAD; times 1.4826 it estimates a standard deviation): one bad broker in three moves neither
of them much. Among fewer than three leaders there is no outlier.
Each series over five minutes is recorded over one minute, too: a pause of a few seconds stays in a mean of five minutes long after it is over.
`

const (
	phaseByLeader  = "kafka_canary:phase_latency_seconds_by_leader"
	phaseByCluster = "kafka_canary:phase_latency_seconds_by_cluster"
)

const baselineComment = `What is usual: the median of each phase's means over baseline.window. Means that are as large as PhaseRegression fires for are left out. Their size
decides, not whether the alert fires: an alert that fires all the time must not end the learning. After a lasting change fewer and fewer samples are left
in the window. With too few of them, every mean counts again. The baseline stays for some days when nothing is learnt at all, as when the canary was away.
What exceeds it is in kafka-canary-suspect.yml.
`

// suspect records baselines, by how much they are exceeded, and on which leaders. It accuses nobody: see evidence.
func suspect(s settings) []ruleFile {
	baseline := group{name: "kafka-canary-baseline", interval: s.Baseline.Interval}
	excess := group{name: "kafka-canary-excess", interval: s.Latency[0].Interval}
	for _, name := range []string{phaseByLeader, phaseByCluster} {
		baseline.rules = append(baseline.rules, learning(s, name)...)
		for _, w := range s.Latency {
			excess.rules = append(excess.rules,
				recording(fmt.Sprintf("%s:excess%s", name, w.Window), fmt.Sprintf("%s:mean%s - %s:baseline%s", name, w.Window, name, s.Baseline.Window)))
		}
	}
	outliers := group{name: "kafka-canary-outliers", interval: s.Latency[len(s.Latency)-1].Interval}
	outliers.rules = append(outliers.rules, ownUsual(string(s.Baseline.Window))...)
	outliers.rules = append(outliers.rules,
		recording(replicaLag, "max by (cluster, broker) (avg_over_time(kafka_server_replicafetchermanager_maxlag"+of(brokerJob)+"[5m]))"))
	for _, w := range s.Latency {
		outliers.rules = append(outliers.rules, slowLeaders(s, string(w.Window))...)
		outliers.rules = append(outliers.rules, slowFollowers(s.Thresholds, string(w.Window))...)
	}
	return []ruleFile{
		{path: "rules/kafka-canary-baseline.yml", source: "suspect.go", comment: baselineComment, groups: []group{baseline}},
		{path: "rules/kafka-canary-suspect.yml", source: "suspect.go", comment: suspectComment, groups: []group{excess, outliers}},
	}
}

// learning are the rules of one baseline. They run in order: a sample is compared with the baseline before it becomes part of it.
func learning(s settings, name string) []rule {
	window := string(s.Baseline.Window)
	calm, learnt, usual := name+":calm5m", name+":learnt"+window, name+":baseline"+window
	enough := fmt.Sprintf("count_over_time(%s[%s]) >= %d", calm, window, s.Baseline.MinSamples)
	rules := []rule{
		recording(learnt, fmt.Sprintf("quantile_over_time(0.5, %s[%s])\nand\n%s", calm, window, enough)),
		recording(usual, fmt.Sprintf("last_over_time(%s[%s])", learnt, s.Baseline.KeptFor)),
	}
	if name == phaseByLeader {
		rules = append(rules, recording(name+":spread"+window,
			fmt.Sprintf("(quantile_over_time(0.75, %[1]s[%[2]s]) - quantile_over_time(0.25, %[1]s[%[2]s])) / 1.349\nand\n%[3]s", calm, window, enough)).
			commented("A standard deviation, estimated from the quartiles."))
	}
	return append(rules, recording(calm, fmt.Sprintf(`(%[1]s:mean5m >= 0)
unless (
  %[1]s:mean5m - %[2]s > %[3]s
  and
  %[1]s:mean5m - %[2]s > %[4]s * %[2]s
  and
  %[5]s
)`, name, usual, number(s.Thresholds.PhaseExcessSeconds), number(s.Thresholds.PhaseExcessRatio), enough)))
}

const (
	own        = "kafka_canary:leader_own_latency_seconds"
	ownPhases  = `{phase!="commit"}`
	replicaLag = "kafka_broker:replica_lag_records:mean5m"
	perLevel   = "by (cluster, profile)"
	toLeaders  = "on (cluster, profile) group_left ()"
	// A leader that waits for less than this share of what the median leader waits does not count as one that waits. A leader whose publish has grown by more
	// than this share of its own wait counts as busy.
	negligible = "0.25"
)

func ownUsual(window string) []rule {
	return []rule{
		recording(own+":mean5m", "sum by (cluster, profile, leader) ("+phaseByLeader+":mean5m"+ownPhases+" >= 0)").
			commented("What a leader itself answers for: all phases but commit, in which it waits for its followers."),
		recording(own+":baseline"+window, "sum by (cluster, profile, leader) ("+phaseByLeader+":baseline"+window+ownPhases+")"),
		recording(own+":spread"+window, "sum by (cluster, profile, leader) ("+phaseByLeader+":spread"+window+ownPhases+")"),
	}
}

// slowLeaders are those whose own latency has grown, and by more than that of their peers.
func slowLeaders(s settings, window string) []rule {
	t, usual := s.Thresholds, string(s.Baseline.Window)
	growth, peers, median, mad := own+":growth"+window, own+":peer_growth"+window, own+":growth_median"+window, own+":growth_mad"+window
	return []rule{
		recording(growth, "sum by (cluster, profile, leader) ("+phaseByLeader+":excess"+window+ownPhases+" > -Inf)").
			commented("By how much a leader is over its own baseline. A leader from which nothing comes back has no value here. In the comparison below it counts as one that has not grown."),
		recording(peers, fmt.Sprintf("%s\nor\n0 * group by (cluster, profile, leader) (%s:mean%s)", growth, phaseByLeader, window)),
		recording(median, fmt.Sprintf("clamp_min(quantile %s (0.5, %s), 0)", perLevel, peers)),
		recording(mad, fmt.Sprintf("quantile %s (0.5, abs(%s - %s %s))", perLevel, peers, toLeaders, median)),
		recording(own+":excess"+window, fmt.Sprintf(`(%[1]s - %[2]s %[3]s)
> %[2]s (%[4]s * 1.4826 * %[5]s)
> %[6]s
and
%[1]s > %[7]s * %[8]s:baseline%[9]s
unless
%[1]s <= %[4]s * %[8]s:spread%[9]s
and on (cluster, profile)
count %[10]s (%[11]s) >= 3
and on (cluster, profile)
count %[10]s (%[1]s) >= 2`,
			growth, toLeaders, median, number(t.OutlierDeviations), mad, number(t.OutlierSeconds), number(t.OutlierRatio), own, usual, perLevel, peers)).
			commented("Leaders whose own latency has grown more than that of their peers, and by how much more than the median."),
	}
}

// slowFollowers are brokers that leaders wait for.
func slowFollowers(t thresholds, window string) []rule {
	waits, median := "kafka_canary:commit_excess_seconds:mean"+window, "kafka_canary:commit_excess_seconds:median"+window
	forFollowers := "kafka_canary:follower_wait_seconds:mean" + window
	calm := fmt.Sprintf("%s < %s (%s * %s)", waits, toLeaders, negligible, median)
	publish := phaseByLeader + ":excess" + window + `{phase="publish"}`
	return []rule{
		recording(waits, "sum by (cluster, profile, leader) ("+phaseByLeader+":excess"+window+`{phase="commit"} > -Inf)`).
			commented("By how much longer than usual a leader needs to commit. The next rule is the median of the leaders."),
		recording(median, fmt.Sprintf("quantile %s (0.5, %s)\nand\ncount %s (%s) >= 3", perLevel, waits, perLevel, waits)),
		recording(forFollowers, fmt.Sprintf(`%[1]s
unless on (cluster, profile, leader) (%[2]s > %[3]s)
unless on (cluster, profile, leader) (sum by (cluster, profile, leader) (%[2]s) > %[4]s * %[1]s > 0)
unless on (cluster, leader)
label_replace(
  sum by (cluster, broker) (kafka_broker:request_phase_seconds:mean%[5]s{request="FetchFollower", phase=~"request_queue|local"}) > %[3]s,
  "leader", "$1", "broker", "(.+)"
)`, waits, publish, number(t.OutlierSeconds), negligible, window)).
			commented(`How much longer than usual commits take, only at leaders that are not busy themselves. A busy leader lets its followers' fetches wait as long as produce
requests, so its own commits are slow. Such a leader is known by its publish, which has grown, and where it has an exporter, by how long fetches of
followers wait there.`),
		recording("kafka_canary:slow_follower:excess"+window, fmt.Sprintf(`max by (cluster, profile, broker) (
  label_replace(0 * (%[1]s and on (cluster, profile) count %[2]s (%[1]s) == 1), "broker", "$1", "leader", "(.+)")
  + %[3]s (%[4]s > %[5]s unless on (cluster, profile) (%[6]s unless (%[1]s) unless %[7]s))
)
or
max by (cluster, profile, broker) (
  (
    label_replace(0 * group by (cluster, profile, leader) (%[8]s:mean%[9]s), "broker", "$1", "leader", "(.+)")
    and on (cluster, broker) (
      (%[10]s >= %[11]s)
      and
      %[10]s >= on (cluster) group_left () (%[12]s * quantile by (cluster) (0.5, %[10]s))
      and on (cluster)
      count by (cluster) (%[10]s) >= 3
    )
  )
  + %[3]s (max %[2]s (%[7]s) > %[5]s)
)`,
			calm, perLevel, toLeaders, median, number(t.OutlierSeconds), waits, forFollowers, phaseByLeader, window,
			replicaLag, number(t.FollowerLagRecords), number(t.FollowerLagRatio))).
			commented(`Here broker is the follower. Brokers that are slow as followers, by how much longer than usual leaders wait. First part: all leaders but one wait, and
none of those that wait is busy. Then they wait for that one, as each broker has a replica of everything (three brokers and three replicas). Second part: a
broker's replicas lag far behind those of its peers.`),
	}
}
