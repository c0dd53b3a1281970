// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const evidenceComment = `Who makes probes slow: kafka_suspect{broker, role, phase}, in seconds that a probe waits for it, over the last minute. The one place that decides who is named.

source="broker": measured by the brokers, on the canary's own records (marks) and on their requests. It needs no baseline and works for any number of brokers. In this order:
  disk      appends to logs take long or do not return, as leader (publish) or as follower (commit)
  handlers  requests wait for a request handler: the canary's (publish), or followers' fetches (commit). Not where they wait less
            than twice as long as appends on the same broker take: then the handlers wait for the disk, and disk is named
  process   the JVM was paused, by its garbage collector or because it had no processor
  network   the canary's pings to this broker take longer than they did, and none of the roles above explains it. Or one leader's records are
            slow to reach all its followers, or one follower alone (then with the label leader), while other leaders' records are not. Not
            while that leader takes on or gives up partitions
  follower  leaders wait for this broker, and for no other
  several   two or more leaders wait for more than one follower, and no follower stands out alone
  controller  the active controller takes long to handle or to commit a change, and probes wait to be sent
  unknown   a phase has grown at a leader, and nothing above says why
Waits for followers count only where the canary's partitions have not changed leaders for 90 s: after such a change followers only begin to fetch.
source="inferred": from latencies alone, for clusters whose brokers report nothing. It is a guess: check the broker before you act.
`

const (
	suspects     = "kafka_suspect"
	gated        = "kafka_broker:commit_gated_seconds:mean1m"
	appends      = "kafka_broker:append_seconds:mean1m"
	canarysWait  = "kafka_broker:canary_produce_seconds:mean1m"
	fetchersWait = "kafka_broker:follower_fetch_seconds:mean1m"
	standstill   = "kafka_broker:standstill:ratio1m"
	pingGrowth   = "kafka_canary:network_round_trip_seconds:growth1m"
	meanPing     = "kafka_canary:ping_seconds:mean1m"
	unexplained  = "kafka_canary:publish_unexplained_seconds:mean1m"
	metadata     = "kafka_controller:change_seconds:mean1m"
	followerWait = "kafka_broker:follower_wait_seconds:mean1m"
	column       = "kafka_broker:slow_follower_seconds:mean1m"

	oneBroker   = "cluster, broker"
	oneFollower = `{follower!="several"}`
	several     = followerWait + `{follower="several"}`
)

// evidence records kafka_suspect and the series from which it is made.
func evidence(s settings) ruleFile {
	g := group{name: "kafka-suspect", interval: s.Latency[0].Interval}
	g.rules = append(known(s), named(s)...)
	return ruleFile{path: "rules/kafka-suspect.yml", comment: evidenceComment, groups: []group{g}}
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

// longest is the longest mean of a phase by these labels.
func longest(s settings, phase, by string) string {
	return fmt.Sprintf(`max by (%s) (%s:mean1m{profile=~"%s",phase="%s"})`, by, phaseByLeader, s.Profiles, phase)
}

// ofLeader is a phase's mean by broker.
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

// moved are the brokers to or from which a partition of the canary has moved within 90 s. Other topics do not count.
func moved() string {
	const led = `last_over_time(kafka_canary_partition_leader_info` + ofCanary + `[90s])`
	const partition = "cluster, site, instance, profile, partition"
	return asBroker("leader", fmt.Sprintf(`group by (cluster, leader) (
  %[1]s
  and on (%[2]s)
  count by (%[2]s) (group by (%[2]s, leader) (%[1]s)) > 1
)`, led, partition))
}

// known records what brokers and pings report.
func known(s settings) []rule {
	threshold := number(s.Thresholds.OutlierSeconds)
	const commits = `sum by (cluster, broker) (avg by (cluster, broker, records) (histogram_count(rate(kafka_commit_seconds` + ofNode + `[1m])) or rate(kafka_commit_seconds_count` + ofNode + `[1m])))`
	const delay = "kafka_canary_network_one_way_delay_seconds" + ofCanary
	phases := `phase=~"request_queue|local"`
	return []rule{
		recording(gated, fmt.Sprintf(`sum by (cluster, broker, follower) (avg by (cluster, broker, follower, records) (rate(kafka_commit_gated_seconds_total%s[1m])))
/ on (cluster, broker) group_left ()
clamp_min(%s, 0.5)`, ofNode, commits)).
			commented("By leader and follower: how long a record's commit waited for the follower. Fewer than thirty records in the minute count as thirty: one slow record names nobody, and a wait without a commit counts."),
		recording(appends, "max by (cluster, broker, role) "+meanOf("kafka_log_append_seconds", nodeJobs, "cluster, broker, role, log_dir")),
		recording(canarysWait, "max by (cluster, broker, phase) "+meanOf("kafka_canary_request_phase_seconds", nodeJobs+`,request="Produce",`+phases, "cluster, broker, phase")),
		recording(fetchersWait, "max by (cluster, broker, phase) "+meanOf("kafka_request_phase_seconds", nodeJobs+`,request="FetchFollower",`+phases, "cluster, broker, phase")),
		recording(standstill, "max by (cluster, broker) (rate(kafka_exporter_standstill_seconds_total"+ofNode+"[1m]))"),
		recording(meanPing, "min by (cluster, broker) (rate(kafka_canary_ping_seconds_total"+ofCanary+"[1m]) / (rate(kafka_canary_pings_total"+ofCanary+"[1m]) > 0))"),
		recording(pingGrowth, fmt.Sprintf(`%[1]s - min_over_time(%[1]s[1h])
> on (cluster) group_left ()
(3 * min by (cluster) (%[1]s - min_over_time(%[1]s[1h])))
and on (cluster)
%[3]s
or
min by (cluster, broker) (avg_over_time(%[2]s[1m]) - min_over_time(%[2]s[1h]))`, meanPing, "kafka_canary_network_round_trip_seconds"+ofCanary, gated)).
			commented("How much pings exceed the last hour's shortest. The mean, where it grew for this broker alone: lost packets delay some pings by hundreds of milliseconds, and the shortest ping not at all. A busy broker does the same, so the mean counts only where brokers report figures of their own. Otherwise the shortest ping: the canary's own pauses do not lengthen it."),
		recording(unexplained, fmt.Sprintf(`%s
- on (cluster, broker) group_left ()
sum by (cluster, broker) (%s)
- on (cluster, broker) group_left ()
min by (cluster, broker) (min_over_time(%s[1h]))`, ofLeader(s, "publish"), canarysWait, delay)).
			commented("Publish without the broker's own parts and without the path's usual delay."),
		recording(metadata, `max by (cluster, broker) (
  kafka_server_raft_metrics_commit_latency_avg`+ofNode+` / 1000
  and on (cluster, broker)
  `+activeController+` == 1
)`),
		recording(followerWait, without(fmt.Sprintf(`%s{follower!="leader"} > %s`, gated, threshold), fetchersWait+" > "+threshold, moved())).
			commented("Followers that leaders wait for. Only leaders count that answer their followers' fetches at once, and of which no partition of the canary has moved for 90 s."),
		recording(column, "sum by ("+oneBroker+") ("+asBroker("follower", fmt.Sprintf(`avg by (cluster, follower) (%[1]s)
and on (cluster, follower)
(
  count by (cluster, follower) (%[1]s) >= 2
  or
  count by (cluster, follower) (%[2]s{follower!~"several|leader"}) == 1
)`, followerWait+oneFollower, gated))+")").
			commented("Followers that are slow for two leaders, or for the only leader that has them."),
	}
}

// named are the suspects. Each rule leaves out what an earlier rule explains. It never reads itself or a later rule: of these it would see the previous
// evaluation.
func named(s settings) []rule {
	t := s.Thresholds
	over := func(series string) string { return series + " > " + number(t.OutlierSeconds) }
	suspect := func(role, phase, expr string) rule {
		return recording(suspects, expr).labelled("role", role).labelled("phase", phase).labelled("source", "broker")
	}
	is := func(matchers string) string { return suspects + "{" + matchers + `,source="broker"}` }
	const earlier = `phase="commit",role!~"network|several|unknown"`
	byBroker := func(expr string) string { return "max by (" + oneBroker + ") (" + expr + ")" }
	diskExplains := func(queue string) string {
		return fmt.Sprintf("2 * %s >= on (%s) %s", byBroker(is(`role="disk"`)), oneBroker, byBroker(queue))
	}
	lateToAll := fmt.Sprintf("count by (cluster) (%s) == 1\nand on (cluster)\ncount by (cluster) (group by (cluster, broker) (%s)) >= 2", several, gated)
	held := "sum by (" + oneBroker + ") (" + gated + `{follower=~"several|leader"})`
	stands := fmt.Sprintf("%s > %s", standstill, number(t.StandstillRatio))
	// Partitions of any topic: followers' fetchers are slow while they take on partitions.
	takesOn := `changes(kafka_server_replicamanager_leadercount` + of(brokerJob) + `[90s]) > 0`
	farther := fmt.Sprintf("%s > %s", pingGrowth, number(t.OutlierSeconds/2))
	grown := fmt.Sprintf(`%[1]s:excess1m{profile=~"%[2]s"} > %[3]s and %[1]s:excess1m > %[4]s * %[1]s:baseline%[5]s`,
		phaseByLeader, s.Profiles, number(t.PhaseExcessSeconds), number(t.PhaseExcessRatio), s.Baseline.Window)
	alone := fmt.Sprintf(`%s and on (cluster, profile, phase) min by (cluster, profile, phase) (%s:excess1m) <= %s`, grown, phaseByLeader, number(t.PhaseExcessSeconds))
	leaderOf := func(expr string) string { return "max by (cluster, broker, phase) (" + asBroker("leader", expr) + ")" }
	marked := "group by (cluster) (" + gated + ")"
	inferred := func(role string, expr string) rule {
		return recording(suspects, expr+"\nunless on (cluster)\n"+marked).labelled("role", role).labelled("source", "inferred")
	}
	return []rule{
		suspect("disk", "publish", without(byBroker(over(appends+`{role="leader"}`)+"\nor\nkafka_log_append_oldest_seconds"+ofNode+" > 1"), stands)).
			commented("An append that does not return is in no mean: its age so far counts."),
		suspect("disk", "commit", without(where("("+column+" or "+byBroker(appends)+")", over(appends+`{role="follower"}`)), stands)),
		suspect("handlers", "publish", byBroker(without(over(canarysWait+`{phase="request_queue"}`), diskExplains(canarysWait+`{phase="request_queue"}`), stands))),
		suspect("handlers", "commit", without(where(over(held), over(fetchersWait+`{phase="request_queue"}`)), diskExplains(fetchersWait+`{phase="request_queue"}`), stands)),
		suspect("process", "publish", byBroker(where(over(unexplained), stands))),
		suspect("process", "commit", byBroker(where(over(gated+`{follower="leader"}`), stands))),
		suspect("network", "publish", byBroker(without(where(over(unexplained), farther), is(`phase="publish",role!~"network|unknown"`), stands))),
		suspect("network", "fetch", byBroker(without(where(over(ofLeader(s, "fetch")), farther), is(`phase="publish",role!~"network|unknown"`), stands))),
		suspect("follower", "commit", without(column, is(`role="disk",phase="commit"`))),
		suspect("network", "commit", without(byBroker(several)+"\nand on (cluster)\n"+lateToAll, is(earlier), stands, takesOn)).
			commented("A leader all of whose followers are slow, while those of other leaders are not: its outgoing path."),
		recording(suspects, fmt.Sprintf(`max by (cluster, broker, leader, phase) (label_replace(%s, "phase", "commit", "", ""))
unless on (cluster, broker)
%s
unless on (cluster)
%s`, asBroker("follower", fmt.Sprintf(`label_replace(%s, "leader", "$1", "broker", "(.+)")`,
			without(where(followerWait+oneFollower, fmt.Sprintf("count by (%s) (%s) == 1", oneBroker, followerWait+oneFollower)), takesOn))),
			is(earlier), is(`phase="commit",role="network",leader=""`))).
			labelled("role", "network").labelled("source", "broker").
			commented("One follower that is slow for one leader only: the path between the two."),
		suspect("several", "commit", fmt.Sprintf("label_replace(avg by (cluster) (%[1]s), \"broker\", \"several\", \"\", \"\")\nand on (cluster)\ncount by (cluster) (%[1]s) >= 2\nunless on (cluster)\n%[2]s",
			several, is(`phase="commit",role!~"several|unknown"`))),
		suspect("controller", "produce", fmt.Sprintf("%s > %s\nand on (cluster)\n%s", metadata, number(t.ControllerSeconds),
			over(longest(s, "produce", "cluster")))),
		recording(suspects, fmt.Sprintf("%s\nand on (cluster)\n%s\nunless on (cluster, phase)\n%s", leaderOf(alone), marked, is(`role!="unknown"`))).
			labelled("role", "unknown").labelled("source", "broker").
			commented("A phase that has grown on every leader is not a leader's fault, but that of a client, its quota or its host."),
		inferred("follower", `label_replace(max by (cluster, broker) (kafka_canary:slow_follower:excess1m{profile=~"`+s.Profiles+`"} and kafka_canary:slow_follower:excess5m), "phase", "commit", "", "")`),
		inferred("unknown", leaderOf(fmt.Sprintf("%s\nand on (cluster, profile, leader)\n%[2]s:excess1m\nand on (cluster, profile, leader)\n%[2]s:excess5m",
			strings.Replace(grown, "{profile", `{phase!="commit",profile`, 1), own))),
	}
}
