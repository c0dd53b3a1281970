// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const evidenceComment = `Who makes probes slow: kafka_suspect{broker, role, phase}, in seconds that a probe waits for it, over the last minute. The one place that decides who is named.

source="broker": from what brokers know of the canary's own records (marks) and of their requests; no baseline, any number of brokers. In this order:
  disk      appends to logs take long, as leader (publish) or as follower (commit)
  handlers  requests wait for a request handler: the canary's (publish), or followers' fetches (commit)
  process   the JVM stood still, for its garbage collector or because it had no processor
  network   the canary's pings take longer than they did, and none of these explains it; or the records of one leader are late at all its
            followers, or at one alone (then with the label leader), where other leaders' records are not
  follower  leaders wait for this broker alone
  several   two or more leaders wait for more than one follower, and none of them alone
  controller  the active controller takes long to handle or to commit a change
  unknown   a phase has grown at a leader, and nothing above says why
source="inferred": of clusters whose brokers tell nothing, from latencies alone.
`

const (
	suspects     = "kafka_suspect"
	gated        = "kafka_broker:commit_gated_seconds:mean1m"
	appends      = "kafka_broker:append_seconds:mean1m"
	canarysWait  = "kafka_broker:canary_produce_seconds:mean1m"
	fetchersWait = "kafka_broker:follower_fetch_seconds:mean1m"
	standstill   = "kafka_broker:standstill:ratio1m"
	wayGrowth    = "kafka_canary:network_one_way_delay_seconds:growth"
	unexplained  = "kafka_canary:publish_unexplained_seconds:mean1m"
	metadata     = "kafka_controller:change_seconds:mean1m"
)

// evidence records kafka_suspect and what it rests on.
func evidence(s settings) ruleFile {
	g := group{name: "kafka-suspect", interval: s.Latency[0].Interval}
	g.rules = append(known(s), named(s)...)
	return ruleFile{path: "rules/kafka-suspect.yml", comment: evidenceComment, groups: []group{g}}
}

// meanOf is the mean of a histogram over a minute, whichever form was scraped.
func meanOf(metric, matchers, by string) string {
	return fmt.Sprintf(`(
  sum by (%[3]s) (histogram_sum(rate(%[1]s{%[2]s}[1m])) or rate(%[1]s_sum{%[2]s}[1m]))
  / (sum by (%[3]s) (histogram_count(rate(%[1]s{%[2]s}[1m])) or rate(%[1]s_count{%[2]s}[1m])) > 0)
)`, metric, matchers, by)
}

// known is what brokers and pings tell.
func known(s settings) []rule {
	const commits = `sum by (cluster, broker) (histogram_count(rate(kafka_commit_seconds[1m])) or rate(kafka_commit_seconds_count[1m]))`
	const delay = "kafka_canary_network_one_way_delay_seconds"
	phases := `phase=~"request_queue|local"`
	return []rule{
		recording(gated, fmt.Sprintf(`sum by (cluster, broker, follower) (rate(kafka_commit_gated_seconds_total[1m]))
/ on (cluster, broker) group_left ()
clamp_min(%s, 0.1)`, commits)).
			commented("By leader and follower: for how long a record's commit waited for it. Where nothing is committed, waits go on: as if one record in ten seconds were."),
		recording(appends, "max by (cluster, broker, role) "+meanOf("kafka_log_append_seconds", "", "cluster, broker, role, log_dir")),
		recording(canarysWait, "max by (cluster, broker, phase) "+meanOf("kafka_canary_request_phase_seconds", `request="Produce",`+phases, "cluster, broker, phase")),
		recording(fetchersWait, "max by (cluster, broker, phase) "+meanOf("kafka_request_phase_seconds", `request="FetchFollower",`+phases, "cluster, broker, phase")),
		recording(standstill, "max by (cluster, broker) (rate(kafka_exporter_standstill_seconds_total[1m]))"),
		recording(wayGrowth, fmt.Sprintf("min by (cluster, broker) (%[1]s - min_over_time(%[1]s[1h]))", delay)).
			commented("Over the shortest of the last hour."),
		recording(unexplained, fmt.Sprintf(`label_replace(max by (cluster, leader) (%s:mean1m{profile=~"%s",phase="publish"}), "broker", "$1", "leader", "(.+)")
- on (cluster, broker) group_left ()
sum by (cluster, broker) (%s)
- on (cluster, broker) group_left ()
min by (cluster, broker) (min_over_time(%s[1h]))`, phaseByLeader, s.Profiles, canarysWait, delay)).
			commented("What is left of publish without the broker's own parts and the way as it was."),
		recording(metadata, `max by (cluster, broker) (
  kafka_server_raft_metrics_commit_latency_avg / 1000
  and on (cluster, broker)
  kafka_controller_kafkacontroller_activecontrollercount == 1
)`),
	}
}

// named are the suspects, each rule without what an earlier one explains: never by itself or by a later one, of which it would see the evaluation before.
func named(s settings) []rule {
	t := s.Thresholds
	over := func(series string) string { return series + " > " + number(t.OutlierSeconds) }
	const broker = "cluster, broker"
	without := func(expr string, others ...string) string {
		for _, other := range others {
			expr += "\nunless on (" + broker + ")\n" + other
		}
		return expr
	}
	suspect := func(role, phase, expr string) rule {
		return recording(suspects, expr).labelled("role", role).labelled("phase", phase).labelled("source", "broker")
	}
	is := func(matchers string) string { return suspects + "{" + matchers + `,source="broker"}` }
	const earlier = `phase="commit",role!~"network|several|unknown"`
	byBroker := func(expr string) string { return "max by (" + broker + ") (" + expr + ")" }
	anyFollower := gated + `{follower!~"several|leader"}`
	busy := over(fetchersWait)
	// What a leader says of its followers, while it answers their fetches at once.
	late := without(over(anyFollower), busy)
	column := fmt.Sprintf(`avg by (cluster, follower) (
%[1]s
)
and on (cluster, follower)
(
  count by (cluster, follower) (
%[1]s
  ) >= 2
  or
  count by (cluster, follower) (%[2]s) == 1
)`, late, anyFollower)
	toBroker := func(expr string) string {
		return `label_replace(` + "\n" + expr + `, "broker", "$1", "follower", "(.+)")`
	}
	dropFollower := func(expr string) string { return "sum by (" + broker + ") (" + expr + ")" }
	column = dropFollower(toBroker(column))
	several := without(over(gated+`{follower="several"}`), busy)
	lateToAll := fmt.Sprintf("count by (cluster) (%s) == 1\nand on (cluster)\ncount by (cluster) (group by (cluster, broker) (%s)) >= 2", several, gated)
	held := dropFollower(gated + `{follower=~"several|leader"}`)
	slow := fmt.Sprintf("%s > %s", standstill, number(t.StandstillRatio))
	farther := fmt.Sprintf("%s > %s", wayGrowth, number(t.OutlierSeconds/4))
	phase := func(name string) string {
		return fmt.Sprintf(`label_replace(max by (cluster, leader) (%s:mean1m{profile=~"%s",phase="%s"}), "broker", "$1", "leader", "(.+)")`, phaseByLeader, s.Profiles, name)
	}
	grown := fmt.Sprintf(`%[1]s:excess1m{profile=~"%[2]s"} > %[3]s and %[1]s:excess1m > %[4]s * %[1]s:baseline%[5]s`,
		phaseByLeader, s.Profiles, number(t.PhaseExcessSeconds), number(t.PhaseExcessRatio), s.Baseline.Window)
	leaderOf := func(expr string) string {
		return "max by (cluster, broker, phase) (label_replace(\n" + expr + `, "broker", "$1", "leader", "(.+)"))`
	}
	marked := "group by (cluster) (" + gated + ")"
	inferred := func(role string, expr string) rule {
		return recording(suspects, expr+"\nunless on (cluster)\n"+marked).labelled("role", role).labelled("source", "inferred")
	}
	return []rule{
		suspect("disk", "publish", byBroker(over(appends+`{role="leader"}`))+"\nunless on (cluster, broker)\n"+slow),
		suspect("disk", "commit", without(fmt.Sprintf("(\n%s\nor\n%s\n)\nand on (%s)\n%s", column, byBroker(appends), broker, over(appends+`{role="follower"}`)), slow)),
		suspect("handlers", "publish", byBroker(without(over(canarysWait+`{phase="request_queue"}`), is(`role="disk"`), slow))),
		suspect("handlers", "commit", without(fmt.Sprintf("%s > %s\nand on (%s)\n%s", held, number(t.OutlierSeconds), broker, over(fetchersWait+`{phase="request_queue"}`)),
			is(`role="disk"`), slow)),
		suspect("process", "publish", byBroker(fmt.Sprintf("%s\nand on (%s)\n%s", over(unexplained), broker, slow))),
		suspect("process", "commit", byBroker(fmt.Sprintf("%s\nand on (%s)\n%s", over(gated+`{follower="leader"}`), broker, slow))),
		suspect("network", "publish", byBroker(without(fmt.Sprintf("%s\nand on (%s)\n%s", over(unexplained), broker, farther),
			is(`phase="publish",role!~"network|unknown"`), slow))),
		suspect("network", "fetch", byBroker(without(fmt.Sprintf("%s\nand on (%s)\n%s", over(phase("fetch")), broker, farther),
			is(`phase="publish",role!~"network|unknown"`), slow))),
		suspect("follower", "commit", without(column, is(`role="disk",phase="commit"`))),
		suspect("network", "commit", without(fmt.Sprintf("%s\nand on (cluster)\n%s", byBroker(several), lateToAll),
			is(earlier), slow)).
			commented("A leader all of whose followers are late, while other leaders' are not: its way out."),
		recording(suspects, fmt.Sprintf(`max by (cluster, broker, leader, phase) (label_replace(label_replace(label_replace(
%s
and on (cluster, broker)
count by (cluster, broker) (%s) == 1, "leader", "$1", "broker", "(.+)"), "broker", "$1", "follower", "(.+)"), "phase", "commit", "", ""))
unless on (cluster, broker)
%s
unless on (cluster)
%s`, late, late, is(earlier), is(`phase="commit",role="network",leader=""`))).
			labelled("role", "network").labelled("source", "broker").
			commented("One follower that is late for one leader alone: the way between the two."),
		suspect("several", "commit", fmt.Sprintf("label_replace(avg by (cluster) (%[1]s), \"broker\", \"several\", \"\", \"\")\nand on (cluster)\ncount by (cluster) (%[1]s) >= 2\nunless on (cluster)\n%[2]s",
			several, is(`phase="commit",role!~"several|unknown"`))),
		suspect("controller", "produce", fmt.Sprintf("%s > %s", metadata, number(t.ControllerSeconds))),
		recording(suspects, fmt.Sprintf("%s\nand on (cluster)\n%s\nunless on (cluster, phase)\n%s", leaderOf(grown), marked, is(`role!="unknown"`))).
			labelled("role", "unknown").labelled("source", "broker"),
		inferred("follower", `label_replace(max by (cluster, broker) (kafka_canary:slow_follower:excess1m`+ofProfiles(s)+` and kafka_canary:slow_follower:excess5m), "phase", "commit", "", "")`),
		inferred("unknown", leaderOf(fmt.Sprintf("%s\nand on (cluster, profile, leader)\n%[2]s:excess1m\nand on (cluster, profile, leader)\n%[2]s:excess5m",
			strings.Replace(grown, "{profile", `{phase!="commit",profile`, 1), own))),
	}
}

func ofProfiles(s settings) string { return `{profile=~"` + s.Profiles + `"}` }
