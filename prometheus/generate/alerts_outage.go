// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// cameBack selects probes that Kafka delivered, in time or after the canary's deadline.
const cameBack = `outcome=~"delivered|late"`

// recentIncrease is of the window where scrapes are frequent enough to have two samples in it, otherwise of twice or four times the window. A series
// that is gone counts for the shortest window only: its canary's target is scraped without it, or is gone as well.
func recentIncrease(selector string, window duration) string {
	// min: two Prometheus servers with one store scrape a canary at different times.
	current := fmt.Sprintf("(timestamp(%s) >= on (cluster, profile, instance, site) group_left () min by (cluster, profile, instance, site) (timestamp(kafka_canary_slo_target_seconds%s)))", selector, ofCanary)
	return perCanary("cluster, profile, leader, outcome, verdict", fmt.Sprintf("increase(%[1]s[%[2]s]) or increase(%[1]s[%[3]s]) and %[5]s or increase(%[1]s[%[4]s]) and %[5]s",
		selector, window, window.times(2), window.times(4), current))
}

// delivering are clusters of which some canary got a probe back recently.
func delivering(s settings) string {
	return "(sum by (cluster) (" + recentIncrease("kafka_canary_probes_total"+of(canaryJob, cameBack), s.SLO.MostBad.Window) + ") > 0)"
}

const (
	badProbes = "kafka_canary:bad_probes:ratio"
	warm      = "kafka_canary:warm:info"
)

// remembered is how far back warmUp looks: longer than most gaps in Prometheus' data, so that after one slow probes page at once.
const remembered = duration("1h")

// warmUp records where canaries have measured for long enough that slow probes page. What has just been started is slow by itself: brokers whose code is
// not compiled yet, a canary beside them on a busy machine. A canary that takes the place of another one does not begin again.
func warmUp(s settings) group {
	up := s.SLO.WarmUp
	// Growth: a counter keeps its value long after the last probe came back.
	return group{name: "kafka-canary-warm-up", interval: "15s", rules: []rule{
		recording(warm, fmt.Sprintf("group by (cluster, profile) (increase(kafka_canary_probes_total%s[%s] offset %s) > 0)",
			of(canaryJob, cameBack), remembered, up)).
			commented("1 where a probe came back " + string(up) + " ago, or up to " + string(remembered) + " before that. Until then slow probes do not page; probes that do not come back do.")}}
}

// badRecently records what share of the probes is bad, where there are enough of them to say.
func badRecently(s settings) rule {
	most := s.SLO.MostBad
	bad := recentIncrease("kafka_canary_slo_probes_total"+of(canaryJob, `profile=~"`+s.Profiles+`",verdict="bad"`), most.Window)
	all := recentIncrease("kafka_canary_slo_probes_total"+of(canaryJob, `profile=~"`+s.Profiles+`"`), most.Window)
	return recording(badProbes+string(most.Window), fmt.Sprintf(`sum by (cluster, profile) (%[1]s)
/ sum by (cluster, profile) (%[2]s)
and
sum by (cluster, profile) (%[2]s) >= %[3]d`, bad, all, most.MinProbes))
}

// neverBack is where most probes were lost or not sent: that is no slow start.
func neverBack(s settings) string {
	most := s.SLO.MostBad
	profiles := `profile=~"` + s.Profiles + `"`
	never := recentIncrease("kafka_canary_probes_total"+of(canaryJob, profiles, `outcome=~"lost|send_failed"`), most.Window)
	all := recentIncrease("kafka_canary_slo_probes_total"+of(canaryJob, profiles), most.Window)
	return fmt.Sprintf("sum by (cluster, profile) (%s) >= %s * sum by (cluster, profile) (%s)", never, number(most.Ratio), all)
}

// mostProbesBad is the page for when nothing works.
func mostProbesBad(s settings) alert {
	most := s.SLO.MostBad
	// Holds as many evaluations as make the time, whether a range is open at its left end (Prometheus 3) or closed.
	lasting := fmt.Sprintf("(%s%s[%s])", badProbes, most.Window, most.For.plus("1s"))
	nothing := fmt.Sprintf(`sum by (cluster, profile) (increase(kafka_canary_probes_total{%s,CP}[%s])) > 0`, cameBack, most.Window.times(4))
	suspected := "{{ with query (" + ofLabels(`max(kafka_canary_outage_suspected{CP}) == 1`) + ") }}"
	return alert{
		name: "MostProbesBad", severity: critical, team: teamKafka, keepFiring: most.Keep, phases: true,
		comment: `The page for when nothing works: a burn rate over an hour needs minutes to show even that.
First part: probes that came back over the target, or passed their deadline; in the first minutes of a cluster's measuring only where most are lost or not sent. Second part: probes before that deadline. The canary has watched them by a sequential
test for some seconds, so there is no "for". Third part: a canary is configured and not paused, and nothing came back within two minutes. A canary that starts has
a minute for its first probe, unless this alert fired within the last ten minutes.
It keeps firing for a while after its condition ends. So neither a restart of the canary nor one of Prometheus resolves it during an outage.`,
		expr: fmt.Sprintf(`%[8]s
and
min_over_time%[1]s >= %[2]s
and
count_over_time%[1]s >= %[3]d
and
(
  %[10]s
  or
  %[11]s
)
or
avg by (cluster, profile) (max by (cluster, profile, site, instance) (kafka_canary_outage_suspected{%[9]s,profile=~"%[4]s"})) >= 0.5
or
(
  group by (cluster, profile) (kafka_canary_slo_target_seconds{%[9]s,profile=~"%[4]s"})
  and
  group by (cluster, profile) (
    (kafka_canary_slo_target_seconds{%[9]s} offset %[5]s)
    or
    last_over_time(ALERTS{alertname="MostProbesBad",alertstate="firing"}[10m])
  )
  unless
  sum by (cluster, profile) (increase(kafka_canary_probes_total{%[9]s,%[6]s}[%[7]s])) > 0
  unless on (cluster)
  min by (cluster) (kafka_canary_paused{%[9]s}) == 1
)`, lasting, number(most.Ratio), most.For.seconds()/s.AlertInterval.seconds()+1, s.Profiles, most.For.plus("1m"), cameBack, most.Window.times(4),
			badProbes+string(most.Window), canaryJob, warm, neverBack(s)),
		summary: "Kafka cluster {{ $labels.cluster }}: " + suspected + "most probes do not come back{{ else }}{{ $value | humanizePercentage }} of all probes miss the latency target{{ end }}",
		figures: suspected + "Probes of most leaders of cluster {{ $labels.cluster }} have not come back for some seconds. " +
			"{{ with query (" + ofLabels(`sum(max by (leader, site, instance) (kafka_canary_probes_overdue{`+canaryJob+`,CP}))`) + ") }}{{ . | first | value }}{{ end }} have been in flight for more than 20 times the target of " + target +
			" (profile {{ $labels.profile }}).{{ else }}In the last " + string(most.Window) + ", {{ $value | humanizePercentage }} of the probes on cluster {{ $labels.cluster }} were over " +
			target + ", lost or not sent (profile {{ $labels.profile }}).{{ with query (" + ofLabels(nothing) + ") }}{{ else }} No probe came back within two minutes.{{ end }}{{ end }}",
		next: "Open the dashboard: which leader and which phase stand out? If all leaders are alike, check the controller and the network to the brokers.",
	}
}

// leaderProbesBad pages for one leader, however many others there are: by cluster its probes are one part of N.
func leaderProbesBad(s settings) alert {
	l := s.SLO.LeaderBad
	counted := func(matchers string, window duration) string {
		return "sum by (cluster, profile, leader) (" + perCanary("cluster, profile, leader, verdict",
			"increase(kafka_canary_slo_probes_total"+of(canaryJob, `profile=~"`+s.Profiles+`"`+matchers)+"["+string(window)+"])") + ")"
	}
	ratio := func(window duration) string {
		return "(\n  " + counted(`,verdict="bad"`, window) + "\n  / " + counted("", window) + "\n) >= " + number(l.Ratio)
	}
	enough := fmt.Sprintf("%s >= %d", counted("", l.Short), l.MinProbes)
	never := "sum by (cluster, profile, leader) (" + perCanary("cluster, profile, leader, outcome",
		"increase(kafka_canary_probes_total"+of(canaryJob, `profile=~"`+s.Profiles+`",outcome=~"lost|send_failed"`)+"["+string(l.Short)+"])") + ")"
	expr := strings.Join([]string{ratio(l.Long), ratio(l.Short), fmt.Sprintf(`(
  %s
  and on (cluster, profile)
  %s
  or
  %s >= %s * %s
  and
  %s
)`, enough, warm, never, number(l.Ratio), counted("", l.Short), enough)}, "\nand\n")
	return alert{
		name: "LeaderProbesBad", severity: critical, team: teamKafka, phases: true, leader: "broker",
		comment: `One leader whose probes are bad pages in a cluster of any size. The label is broker, as BrokerDown has it, which holds this back.
No for: the long window says that it matters, the short one that it continues. In the first minutes of a cluster's measuring it fires only where most of
the leader's probes are lost or not sent.`,
		expr:    "label_replace(\n" + expr + `, "broker", "$1", "leader", "(.+)")`,
		summary: "Kafka cluster {{ $labels.cluster }}: {{ $value | humanizePercentage }} of the probes to leader {{ $labels.broker }} miss the latency target",
		figures: "In the last " + string(l.Long) + ", {{ $value | humanizePercentage }} of the probes to leader {{ $labels.broker }} of cluster {{ $labels.cluster }} were over " +
			target + ", lost or not sent (profile {{ $labels.profile }}). In the " + lastOf(l.Short) + ", too, at least {{ " + number(l.Ratio) + " | humanizePercentage }} of them were bad.",
		nextOfNothing: "Nothing comes back: step 3 of the runbook.",
		next:          "No broker is named as the cause. Take the longest phase in the table below to step 2 of the runbook.",
	}
}
