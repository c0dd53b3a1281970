// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// latencyAlertRules watch what the canary's probes say about Kafka. They fire for the profiles chosen in the settings.
func latencyAlertRules(s settings) ruleFile {
	t := s.Thresholds
	profiles := `{profile=~"` + s.Profiles + `"}`
	with := func(matchers string) string { return `{profile=~"` + s.Profiles + `",` + matchers + `}` }
	alerts := []alert{mostProbesBad(s), leaderProbesBad(s)}
	for _, b := range s.SLO.BurnRates {
		alerts = append(alerts, burnAlert(s, b, profiles))
	}
	alerts = append(alerts,
		alert{
			name: "EndToEndP99High", severity: warning, team: teamKafka, forTime: "5m", phases: true,
			expr: `max by (cluster, profile) (kafka_canary:end_to_end_latency_seconds_by_cluster:quantile5m` + with(`quantile="0.99"`) + `)
> max by (cluster, profile) (kafka_canary_slo_target_seconds` + ofCanary + `)`,
			comment: "Probes that did not come back count as longer than any other: where they are one in a hundred the percentile is +Inf.",
			summary: "Kafka cluster {{ $labels.cluster }}: {{ if eq (printf `%.0f` $value) `+Inf` }}one probe in a hundred is lost or not sent{{ else }}end-to-end p99 is {{ $value | humanizeDuration }}{{ end }}",
			figures: "For five minutes one probe in a hundred on cluster {{ $labels.cluster }} {{ if eq (printf `%.0f` $value) `+Inf` }}was lost or not sent{{ else }}has taken longer than {{ $value | humanizeDuration }} end to end{{ end }}. The target is " +
				target + " (profile {{ $labels.profile }}).",
			next: "Open the dashboard: is the phase that stands out below slow on one leader, or on all?",
		},
		alert{
			name: "PhaseRegression", severity: warning, team: teamKafka, forTime: "10m", phases: true,
			expr:   "max by (cluster, profile) (\n" + regressed(s, profiles) + "\n)",
			window: "5m", names: mostGrown(s, "{{ $leader = .Labels.leader }}"),
			summary: "Kafka cluster {{ $labels.cluster }}: " + mostGrown(s, partName+" on leader {{ .Labels.leader }}") + " is {{ $value | humanizeDuration }} slower than usual",
			figures: "For ten minutes a phase on cluster {{ $labels.cluster }} has been much longer than its median of the last day (profile {{ $labels.profile }}). In the last 5m" +
				" it was {{ $value | humanizeDuration }} longer" + mostGrown(s, ": "+partName+" on leader {{ .Labels.leader }}") + ".",
			next: "See on the dashboard when it began. Ask what changed then: deployment, configuration, load or hardware.",
		},
		alert{
			name: "BrokerDegraded", severity: warning, team: teamKafka, forTime: "3m", leader: "broker", labels: map[string]string{"area": "latency"},
			comment: "Named by the brokers' own figures, or without those by inference. No label profile: brokers do not distinguish profiles.",
			expr:    `kafka_suspect{role!~"several|unknown|controller"} or kafka_suspect{role="unknown",source="inferred"}`,
			summary: "Kafka cluster {{ $labels.cluster }}: broker {{ $labels.broker }} is slow (" + roleText("$labels.role") + "): probes wait {{ $value | humanizeDuration }} in {{ $labels.phase }}",
			figures: mainRole() + "For three minutes probes on cluster {{ $labels.cluster }} have waited for broker {{ $labels.broker }} (" + roleText("$labels.role") +
				"). In the last minute they waited {{ $value | humanizeDuration }} on average, in phase {{ $labels.phase }}" + whereLed + ". " +
				`{{ if eq $labels.source "broker" }}The brokers measured this.{{ else }}This is inferred from latencies; no broker measured it.{{ end }}` + alsoAs,
			next: nextText,
		},
		alert{
			name: "GrayFailure", severity: warning, team: teamKafka, forTime: "3m", leader: "broker", labels: map[string]string{"area": "latency"},
			comment: `Others see the broker slow, and its own figures are there and good. Followers wait, or the canary does: by its pings, or by one leader's phases that
nothing of the broker explains. Mutes BrokerDegraded of that broker, which says less.`,
			expr: `(
  kafka_suspect{role=~"follower|network",source="broker"}
  or
  kafka_suspect{role="unknown",source="broker",phase=~"publish|fetch"}
  and on (cluster, phase)
  count by (cluster, phase) (kafka_suspect{role="unknown",source="broker"}) == 1
)
unless on (cluster, broker) kafka_suspect{role=~"disk|handlers|process"}
and on (cluster, broker) up{job="kafka-broker"} == 1
and on (cluster, broker) kafka_exporter_hook_active` + of(brokerJob, `hook="log_appends"`) + ` == 1`,
			summary: "Kafka cluster {{ $labels.cluster }}: others wait {{ $value | humanizeDuration }} for broker {{ $labels.broker }} in {{ $labels.phase }}, and its own figures are good",
			figures: mainRole() + "For three minutes others have waited for broker {{ $labels.broker }} of cluster {{ $labels.cluster }} (" + roleText("$labels.role") +
				"): {{ $value | humanizeDuration }} on average, in phase {{ $labels.phase }}" + whereLed + ". " +
				"Its own disk, request handlers and JVM are not slow. A health check that asks the broker itself finds nothing.",
			// What its own figures have said to be good is not to be checked again.
			next: `{{ if eq $role "unknown" }}Check what is between: network card, cable, switch, route.{{ else }}` + nextText + "{{ end }} The panels Append to acknowledgement and Round trip show who waits for whom.",
		},
		alert{
			name: "ProbesLost", severity: warning, team: teamKafka,
			expr: fmt.Sprintf(`sum by (cluster, profile) (%s) >= %s`,
				perCanary("cluster, profile, leader, outcome", "increase(kafka_canary_probes_total"+of(canaryJob, with(`outcome=~"lost|send_failed"`))+"[5m])"), number(t.LostProbes)),
			summary: "Kafka cluster {{ $labels.cluster }}: {{ printf \"%.0f\" $value }} probes were lost or not sent in five minutes",
			figures: `{{ printf "%.0f" $value }} probes on cluster {{ $labels.cluster }} were lost or not sent in five minutes (profile {{ $labels.profile }})` +
				`{{ range query (` + ofLabels(`topk(10, sum by (leader) (`+perCanary("leader, outcome", `increase(kafka_canary_probes_total{`+canaryJob+`,outcome=~"lost|send_failed",CP}[5m])`)+`) > 0)`) +
				`) | sortByLabel "leader" }}; leader {{ .Labels.leader }}: {{ printf "%.0f" .Value }}{{ end }}.`,
			next: "Read Kafka's errors in the canary's log and on its page /status. Then read the log of that leader.",
		},
		alert{
			name: "CatchUpGrowing", severity: warning, team: teamKafka, forTime: "5m", phases: true, leader: "leader", window: "5m", suspectsIn: "fetch",
			comment: "unless, not and: a minute without a delivered probe has no mean, and that is no sign that the consumer keeps up.",
			expr: fmt.Sprintf(`%[1]s:mean5m%[2]s > %[3]s
unless
%[1]s:mean1m%[2]s <= %[3]s`, phaseByLeader, with(`phase="catch_up"`), number(t.CatchUpSeconds)),
			summary: "Kafka cluster {{ $labels.cluster }}: the canary's consumer is behind on leader {{ $labels.leader }}: {{ $value | humanizeDuration }} in catch_up",
			figures: "For five minutes the canary's consumer has been behind on the partition led by broker {{ $labels.leader }} of cluster {{ $labels.cluster }}. In the last 5m probes waited {{ $value | humanizeDuration }} on average in phase catch_up (profile {{ $labels.profile }}).",
			next:    "See whether the canary's process is starved (kafka_canary_hiccup_seconds). If not, see whether fetches from that leader are slow.",
		},
		clientsSlower(t, profiles),
	)
	latency := alertGroup(s, "kafka-canary-latency-alerts", alerts...)
	latency.rules = append([]rule{badRecently(s)}, latency.rules...)
	file := written(s, "kafka-canary-alerts.yml", nil)
	file.groups = append([]group{warmUp(s), latency}, file.groups...)
	return file
}

// regressed are the phases of leaders that are much longer than usual, by their size and by their share.
func regressed(s settings, selector string) string {
	return fmt.Sprintf(`  %[1]s:excess5m%[3]s > %[4]s
  and
  %[1]s:excess5m > %[5]s * %[1]s:baseline%[6]s
  or
  %[2]s:excess5m%[3]s > %[4]s
  and
  %[2]s:excess5m > %[5]s * %[2]s:baseline%[6]s`,
		phaseByLeader, mirrorByLeader, selector, number(s.Thresholds.PhaseExcessSeconds), number(s.Thresholds.PhaseExcessRatio), s.Baseline.Window)
}

// mostGrown is text about the phase and leader that have regressed most; "a phase" in a sentence's place where there is none any more.
func mostGrown(s settings, text string) string {
	query := "topk(1, " + strings.Join(strings.Fields(regressed(s, "{CP}")), " ") + ")"
	none := ""
	if !strings.HasPrefix(text, ": ") && !strings.Contains(text, "$leader =") {
		none = "{{ else }}a phase"
	}
	return "{{ with query (" + ofLabels(query) + ") }}{{ with first . }}" + text + "{{ end }}" + none + "{{ end }}"
}

const target = `{{ with query (printf "max(kafka_canary_slo_target_seconds{cluster=%q,profile=%q})" $labels.cluster $labels.profile) }}{{ . | first | value | humanizeDuration }}{{ else }}the target{{ end }}`

// whereLed names the one leader whose partitions are slow, where a suspect has one.
const whereLed = `{{ with $labels.leader }}, for partitions led by broker {{ . }}{{ end }}`

// burnAlert is one row of the burn rates.
func burnAlert(s settings, b burnRate, profiles string) alert {
	long, short := string(b.Long), string(b.Short)
	return alert{
		name: b.Alert, severity: b.Severity, team: teamKafka, phases: true,
		labels: map[string]string{"window": long},
		expr: fmt.Sprintf(`kafka_canary:slo_burn_rate:ratio%[1]s%[3]s >= %[4]s
and
kafka_canary:slo_burn_rate:ratio%[2]s%[3]s >= %[4]s
and
kafka_canary:slo_bad_probes:increase%[1]s%[3]s >= %[5]d`, long, short, profiles, number(b.Rate), s.SLO.MinBadProbes),
		summary: `Kafka cluster {{ $labels.cluster }}: the {{ $labels.slo }} error budget burns {{ $value | printf "%.1f" }} times too fast`,
		figures: "In the last " + long + `, {{ with query (printf "kafka_canary:slo_bad_probes:increase` + long +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | printf "%.0f" }}{{ end }} of ` +
			`{{ with query (printf "kafka_canary:slo_probes:increase` + long +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | printf "%.0f" }}{{ end }} probes on cluster {{ $labels.cluster }} ` +
			`were {{ if eq $labels.slo "latency" }}over ` + target + `, {{ end }}lost or not sent (profile {{ $labels.profile }}). At this rate the ` +
			string(s.SLO.Period) + ` error budget is used up in {{ $value | printf "scalar(vector(` + fmt.Sprint(s.SLO.Period.seconds()) +
			` / %f))" | query | first | value | humanizeDuration }}. Budget left: ` +
			`{{ with query (printf "kafka_canary:slo_budget_remaining:ratio` + string(s.SLO.Period) +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | humanizePercentage }}{{ else }}not known yet{{ end }}.`,
		next: "See on the dashboard which leader and which phase stand out, and when it began. Ask what changed then.",
	}
}
