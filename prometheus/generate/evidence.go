// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// This file makes rules/kafka-suspect.yml, the only place that decides who is accused (kafka_suspect). Baselines and outliers are made by suspect.go
// (rules/kafka-canary-suspect.yml). What alerts say about a suspect, and which of several roles they say first, is in texts.go.

import (
	"fmt"
	"strings"
)

const evidenceComment = `Who makes probes slow: kafka_suspect{broker, role, phase}. The label broker is the accused: the one that is waited for. Only this file decides who that is.
The value is in seconds, over the last minute: how long a probe waits for that broker. Exceptions: what is unknown or inferred has the excess over the
baseline, controller the time to commit a change, network in fetch the whole phase, and disk the age of an append that does not return.
Baselines, and which leaders exceed theirs, are in kafka-canary-suspect.yml.

source="broker": measured by the brokers, on the canary's own records (marks) and on their requests. Only unknown needs a baseline; process and
network compare with the last hour's shortest network times. disk and handlers are never said of a broker whose JVM was paused. The roles:
  disk      appends to logs take long or do not return, as leader (publish) or as follower (commit)
  handlers  requests wait for a request handler: the canary's (publish), or followers' fetches (commit). Not where disk is named and
            they wait at most twice as long as its value: then the handlers wait for the disk
  process   probes wait for a leader whose JVM was paused: by its garbage collector, because it had no processor, or stopped
  network   the canary's pings to this broker take longer than they did, probes wait in publish or fetch, and no role above is named in publish. Or
            one leader waits for more than one follower, or for one alone (broker is then that follower, and the label leader says the leader),
            and no other leader does. Not while that leader takes on or gives up partitions
  follower  records wait for this broker alone, at two leaders or more, or at the only leader that ever waited for it
  several   two or more leaders wait for more than one follower, and no other role is named in commit
  controller  the active controller takes long to commit a change, and probes wait to be sent
  unknown   a phase has grown at a leader but not at every leader, and no broker is named in that phase
No follower is accused by a leader to or from which a partition of the canary moved within 90 s: its followers only begin to fetch. Nor by a leader at
which followers' fetches themselves wait.
source="inferred": from latencies alone, for clusters whose brokers report nothing. It is a guess: check the broker before you act.
`

// The series, and which broker the label broker names in each. Where one broker waits for another, broker is the one that waits, and follower the one that
// is waited for; but in slowFollower and suspects broker is the one that is waited for.
const (
	suspects     = "kafka_suspect"                                    // the accused, or "several"
	gated        = "kafka_broker:commit_gated_seconds:mean1m"         // the leader, which waits; follower: for whom, "several" of them, or "leader": for itself
	appends      = "kafka_broker:append_seconds:mean1m"               // whose log it is; role: whether it appends as leader or as follower
	canarysWait  = "kafka_broker:canary_produce_seconds:mean1m"       // the leader, which takes the produce request
	fetchersWait = "kafka_broker:follower_fetch_seconds:mean1m"       // the leader, which is fetched from
	paused       = "kafka_broker:paused:ratio1m"                      // whose JVM was paused
	pingGrowth   = "kafka_canary:network_round_trip_seconds:growth1m" // which was pinged
	meanPing     = "kafka_canary:ping_seconds:mean1m"                 // which was pinged
	unexplained  = "kafka_canary:publish_unexplained_seconds:mean1m"  // the leader
	metadata     = "kafka_controller:change_seconds:mean1m"           // the node that is the active controller
	followerWait = "kafka_broker:follower_wait_seconds:mean1m"        // the leader, which waits; follower: for whom
	slowFollower = "kafka_broker:slow_follower_seconds:mean1m"        // the follower, which leaders wait for: the accused

	oneBroker   = "cluster, broker"
	oneFollower = `{follower!="several"}`
	several     = followerWait + `{follower="several"}`
)

// evidence records kafka_suspect and the series from which it is made.
func evidence(s settings) ruleFile {
	g := group{name: "kafka-suspect", interval: s.Latency[0].Interval}
	g.rules = append(reported(s), accused(s)...)
	return ruleFile{path: "rules/kafka-suspect.yml", source: "evidence.go", comment: evidenceComment, groups: []group{g}}
}

// meanOf is the mean of a histogram over a minute, whichever form was scraped. A node that is scraped twice counts twice in numerator and denominator.
func meanOf(metric, matchers, by string) string {
	return fmt.Sprintf(`(
  sum by (%[3]s) (histogram_sum(rate(%[1]s{%[2]s}[1m])) or rate(%[1]s_sum{%[2]s}[1m]))
  / (sum by (%[3]s) (histogram_count(rate(%[1]s{%[2]s}[1m])) or rate(%[1]s_count{%[2]s}[1m])) > 0)
)`, metric, matchers, by)
}

// asBroker gives a series that names a broker by another label the label broker.
func asBroker(label, expr string) string {
	return fmt.Sprintf("label_replace(\n%s, \"broker\", \"$1\", %q, \"(.+)\")", expr, label)
}

// longest is a phase's mean by these labels: of several leaders or profiles the longest.
func longest(s settings, phase, by string) string {
	return fmt.Sprintf(`max by (%s) (%s:mean1m{profile=~"%s",phase="%s"})`, by, phaseByLeader, s.Profiles, phase)
}

// ofLeader is a phase's mean by leader. The label that names the leader is broker.
func ofLeader(s settings, phase string) string {
	return asBroker("leader", longest(s, phase, "cluster, leader"))
}

// where keeps, and without drops, the series of brokers for which the other expression has a series.
func where(expr, condition string) string {
	return expr + "\nand on (" + oneBroker + ")\n" + condition
}

func without(expr string, others ...string) string {
	for _, other := range others {
		expr += "\nunless on (" + oneBroker + ")\n" + other
	}
	return expr
}

// moved are the brokers to or from which the leadership of a partition of the canary has moved within 90 s. Other topics do not count.
func moved() string {
	const led = `last_over_time(kafka_canary_partition_leader_info` + ofCanary + `[90s])`
	const partition = "cluster, site, instance, profile, partition"
	return asBroker("leader", fmt.Sprintf(`group by (cluster, leader) (
  %[1]s
  and on (%[2]s)
  count by (%[2]s) (group by (%[2]s, leader) (%[1]s)) > 1
)`, led, partition))
}

// reported records what brokers, pings and probes say, before anybody is accused.
func reported(s settings) []rule {
	threshold := number(s.Thresholds.OutlierSeconds)
	const commits = `sum by (cluster, broker) (avg by (cluster, broker, records) (histogram_count(rate(kafka_commit_seconds` + ofNode + `[1m])) or rate(kafka_commit_seconds_count` + ofNode + `[1m])))`
	const delay = "kafka_canary_network_one_way_delay_seconds" + ofCanary
	phases := `phase=~"request_queue|local"`
	return []rule{
		recording(gated, fmt.Sprintf(`sum by (cluster, broker, follower) (avg by (cluster, broker, follower, records) (rate(kafka_commit_gated_seconds_total%s[1m])))
/ on (cluster, broker) group_left ()
clamp_min(%s, 0.5)`, ofNode, commits)).
			commented("How long a record's commit at a leader (broker) waited for a follower (follower). Fewer than thirty records in the minute count as thirty. So one slow record accuses nobody, and a wait without a commit counts, too."),
		recording(appends, "max by (cluster, broker, role) "+meanOf("kafka_log_append_seconds", nodeJobs, "cluster, broker, role, log_dir")),
		recording(canarysWait, "max by (cluster, broker, phase) "+meanOf("kafka_canary_request_phase_seconds", nodeJobs+`,request="Produce",`+phases, "cluster, broker, phase")),
		recording(fetchersWait, "max by (cluster, broker, phase) "+meanOf("kafka_request_phase_seconds", nodeJobs+`,request="FetchFollower",`+phases, "cluster, broker, phase")),
		recording(paused, "max by (cluster, broker) (rate(kafka_exporter_paused_seconds_total"+ofNode+"[1m])"+
			" or rate(kafka_exporter_standstill_seconds_total"+ofNode+"[1m]))"),
		recording(meanPing, "min by (cluster, broker) (rate(kafka_canary_ping_seconds_total"+ofCanary+"[1m]) / (rate(kafka_canary_pings_total"+ofCanary+"[1m]) > 0))"),
		recording(pingGrowth, fmt.Sprintf(`%[1]s - min_over_time(%[1]s[1h])
> on (cluster) group_left ()
(3 * min by (cluster) (%[1]s - min_over_time(%[1]s[1h])))
and on (cluster)
%[3]s
or
min by (cluster, broker) (avg_over_time(%[2]s[1m]) - min_over_time(%[2]s[1h]))`, meanPing, "kafka_canary_network_round_trip_seconds"+ofCanary, gated)).
			commented("How much pings exceed the last hour's shortest. The mean, where it grew more than three times as much as at the broker where it grew least: lost packets delay some pings by hundreds of milliseconds, and the shortest ping not at all. A busy broker does the same, so the mean counts only where brokers report figures of their own. Otherwise the shortest ping: the canary's own pauses do not lengthen it."),
		recording(unexplained, fmt.Sprintf(`%s
- on (cluster, broker) group_left ()
sum by (cluster, broker) (%s)
- on (cluster, broker) group_left ()
min by (cluster, broker) (min_over_time(%s[1h]))`, ofLeader(s, "publish"), canarysWait, delay)).
			commented("By leader (broker): publish without what the broker itself measured, and without the path's usual delay."),
		recording(metadata, `max by (cluster, broker) (
  kafka_server_raft_metrics_commit_latency_avg`+ofNode+` / 1000
  and on (cluster, broker)
  `+activeController+` == 1
)`),
		recording(followerWait, without(fmt.Sprintf(`%s{follower!="leader"} > %s`, gated, threshold), fetchersWait+" > "+threshold, moved())).
			commented("For which follower a leader (broker) waits. Only leaders count that answer their followers' fetches at once, and to or from which no partition of the canary has moved for 90 s."),
		recording(slowFollower, "sum by ("+oneBroker+") ("+asBroker("follower", fmt.Sprintf(`avg by (cluster, follower) (%[1]s)
and on (cluster, follower)
(
  count by (cluster, follower) (%[1]s) >= 2
  or
  count by (cluster, follower) (%[2]s{follower!~"several|leader"}) == 1
)`, followerWait+oneFollower, gated))+")").
			commented("Here broker is the follower: one that two leaders or more wait for, or the only leader that ever waited for it."),
	}
}

// accused are the suspects. What a rule reads of kafka_suspect, to leave out what is explained already, was recorded by rules before it. Of itself or a
// later rule it would read the previous evaluation. Therefore a paused JVM is known to the rules of disk and handlers by its ratio, not by role process.
func accused(s settings) []rule {
	t := s.Thresholds
	over := func(series string) string { return series + " > " + number(t.OutlierSeconds) }
	suspect := func(role, phase, expr string) rule {
		return recording(suspects, expr).labelled("role", role).labelled("phase", phase).labelled("source", "broker")
	}
	is := func(matchers string) string { return suspects + "{" + matchers + `,source="broker"}` }
	const explained = `phase="commit",role!~"network|several|unknown"`
	byBroker := func(expr string) string { return "max by (" + oneBroker + ") (" + expr + ")" }
	diskExplains := func(queue string) string {
		return fmt.Sprintf("2 * %s >= on (%s) %s", byBroker(is(`role="disk"`)), oneBroker, byBroker(queue))
	}
	lateToAll := fmt.Sprintf("count by (cluster) (%s) == 1\nand on (cluster)\ncount by (cluster) (group by (cluster, broker) (%s)) >= 2", several, gated)
	// How long commits waited at a leader, less the waits for one follower alone.
	heldCommit := "sum by (" + oneBroker + ") (" + gated + `{follower=~"several|leader"})`
	jvmPaused := fmt.Sprintf("%s > %s", paused, number(t.PausedRatio))
	// Leaders that have taken on or given up partitions, of any topic: their followers' fetchers are slow meanwhile.
	takesOn := `changes(kafka_server_replicamanager_leadercount` + of(brokerJob) + `[90s]) > 0`
	pingGrew := fmt.Sprintf("%s > %s", pingGrowth, number(t.OutlierSeconds/2))
	grown := fmt.Sprintf(`%[1]s:excess1m{profile=~"%[2]s"} > %[3]s and %[1]s:excess1m > %[4]s * %[1]s:baseline%[5]s`,
		phaseByLeader, s.Profiles, number(t.PhaseExcessSeconds), number(t.PhaseExcessRatio), s.Baseline.Window)
	// Grown at a leader, but not at every leader.
	alone := fmt.Sprintf(`%s and on (cluster, profile, phase) min by (cluster, profile, phase) (%s:excess1m) <= %s`, grown, phaseByLeader, number(t.PhaseExcessSeconds))
	leaderOf := func(expr string) string { return "max by (cluster, broker, phase) (" + asBroker("leader", expr) + ")" }
	// Clusters whose brokers report.
	reporting := "group by (cluster) (" + gated + ")"
	inferred := func(role string, expr string) rule {
		return recording(suspects, expr+"\nunless on (cluster)\n"+reporting).labelled("role", role).labelled("source", "inferred")
	}
	return []rule{
		suspect("disk", "publish", without(byBroker(over(appends+`{role="leader"}`)+"\nor\nkafka_log_append_oldest_seconds"+ofNode+" > 1"), jvmPaused)).
			commented("An append that has not returned is in no mean, so its age counts."),
		suspect("disk", "commit", without(where("("+slowFollower+" or "+byBroker(appends)+")", over(appends+`{role="follower"}`)), jvmPaused)),
		suspect("handlers", "publish", byBroker(without(over(canarysWait+`{phase="request_queue"}`), diskExplains(canarysWait+`{phase="request_queue"}`), jvmPaused))),
		suspect("handlers", "commit", without(where(over(heldCommit), over(fetchersWait+`{phase="request_queue"}`)), diskExplains(fetchersWait+`{phase="request_queue"}`), jvmPaused)),
		suspect("process", "publish", byBroker(where(over(unexplained), jvmPaused))),
		suspect("process", "commit", byBroker(where(over(gated+`{follower="leader"}`), jvmPaused))),
		suspect("network", "publish", byBroker(without(where(over(unexplained), pingGrew), is(`phase="publish",role!~"network|unknown"`), jvmPaused))),
		suspect("network", "fetch", byBroker(without(where(over(ofLeader(s, "fetch")), pingGrew), is(`phase="publish",role!~"network|unknown"`), jvmPaused))),
		suspect("follower", "commit", without(slowFollower, is(`role="disk",phase="commit"`))),
		suspect("network", "commit", without(byBroker(several)+"\nand on (cluster)\n"+lateToAll, is(explained), jvmPaused, takesOn)).
			commented("The only leader that waits for more than one follower: its outgoing path."),
		recording(suspects, fmt.Sprintf(`max by (cluster, broker, leader, phase) (label_replace(%s, "phase", "commit", "", ""))
unless on (cluster, broker)
%s
unless on (cluster)
%s`, asBroker("follower", fmt.Sprintf(`label_replace(%s, "leader", "$1", "broker", "(.+)")`,
			without(where(followerWait+oneFollower, fmt.Sprintf("count by (%s) (%s) == 1", oneBroker, followerWait+oneFollower)), takesOn))),
			is(explained), is(`phase="commit",role="network",leader=""`))).
			labelled("role", "network").labelled("source", "broker").
			commented("One follower that is slow for one leader only: the path between the two."),
		suspect("several", "commit", fmt.Sprintf("label_replace(avg by (cluster) (%[1]s), \"broker\", \"several\", \"\", \"\")\nand on (cluster)\ncount by (cluster) (%[1]s) >= 2\nunless on (cluster)\n%[2]s",
			several, is(`phase="commit",role!~"several|unknown"`))),
		suspect("controller", "produce", fmt.Sprintf("%s > %s\nand on (cluster)\n%s", metadata, number(t.ControllerSeconds),
			over(longest(s, "produce", "cluster")))),
		recording(suspects, fmt.Sprintf("%s\nand on (cluster)\n%s\nunless on (cluster, phase)\n%s", leaderOf(alone), reporting, is(`role!="unknown"`))).
			labelled("role", "unknown").labelled("source", "broker").
			commented("A phase that has grown on every leader is not a leader's fault, but that of a client, its quota or its host."),
		inferred("follower", `label_replace(max by (cluster, broker) (kafka_canary:slow_follower:excess1m{profile=~"`+s.Profiles+`"} and kafka_canary:slow_follower:excess5m), "phase", "commit", "", "")`),
		inferred("unknown", leaderOf(fmt.Sprintf("%s\nand on (cluster, profile, leader)\n%[2]s:excess1m\nand on (cluster, profile, leader)\n%[2]s:excess5m",
			strings.Replace(grown, "{profile", `{phase!="commit",profile`, 1), own))),
	}
}
