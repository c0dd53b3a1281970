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
	of := `{profile=~"` + s.Profiles + `"}`
	with := func(matchers string) string { return `{profile=~"` + s.Profiles + `",` + matchers + `}` }
	alerts := []alert{mostProbesBad(s), leaderProbesBad(s)}
	for _, b := range s.SLO.BurnRates {
		alerts = append(alerts, burnAlert(s, b, of))
	}
	alerts = append(alerts,
		alert{
			name: "EndToEndP99High", severity: warning, team: teamKafka, forTime: "5m", phases: true,
			expr: `max by (cluster, profile) (kafka_canary:end_to_end_latency_seconds_by_cluster:quantile5m` + with(`quantile="0.99"`) + `)
> max by (cluster, profile) (kafka_canary_slo_target_seconds)`,
			comment: "Probes that did not come back count as longer than any other: where they are one in a hundred the percentile is +Inf.",
			summary: "Kafka cluster {{ $labels.cluster }}: {{ if eq (printf `%.0f` $value) `+Inf` }}one probe in a hundred is lost{{ else }}end-to-end p99 is {{ $value | humanizeDuration }}{{ end }}",
			figures: "For five minutes one probe in a hundred of cluster {{ $labels.cluster }} {{ if eq (printf `%.0f` $value) `+Inf` }}has not come back{{ else }}has taken longer than {{ $value | humanizeDuration }} end to end{{ end }}; the target is " +
				target + " (profile {{ $labels.profile }}).",
			next: "take the phase that stands out below to the dashboard, and see whether one leader or all are slow.",
		},
		alert{
			name: "PhaseRegression", severity: warning, team: teamKafka, forTime: "10m", phases: true,
			expr: fmt.Sprintf(`max by (cluster, profile) (
  %[1]s:excess5m%[3]s > %[4]s
  and
  %[1]s:excess5m > %[5]s * %[1]s:baseline%[6]s
  or
  %[2]s:excess5m%[3]s > %[4]s
  and
  %[2]s:excess5m > %[5]s * %[2]s:baseline%[6]s
)`, phaseByLeader, mirrorByLeader, of, number(t.PhaseExcessSeconds), number(t.PhaseExcessRatio), s.Baseline.Window),
			summary: "Kafka cluster {{ $labels.cluster }}: {{ with query (" + ofLabels("topk(1, "+part("leader:excess5m", "CP")+")") +
				") }}{{ with first . }}" + partName + " by way of leader {{ .Labels.leader }}{{ end }}{{ else }}a phase{{ end }} is {{ $value | humanizeDuration }} slower than usual",
			figures: "For ten minutes a phase of cluster {{ $labels.cluster }} has been {{ $value | humanizeDuration }} longer than its median of the last day (profile {{ $labels.profile }}).",
			next:    "ask what changed when it began (the dashboard shows when): deployment, configuration, load, hardware.",
		},
		alert{
			name: "BrokerDegraded", severity: warning, team: teamKafka, forTime: "3m", phases: true, leader: "broker",
			labels:  map[string]string{"role": "leader"},
			comment: "As a leader: what it itself answers for is an outlier among its peers. In the last minute too: one stall stays in a mean of five minutes, longer than for.",
			expr: `label_replace(kafka_canary:leader_own_latency_seconds:excess5m` + of + `, "broker", "$1", "leader", "(.+)")
and on (cluster, profile, leader)
kafka_canary:leader_own_latency_seconds:excess1m`,
			summary: "Kafka cluster {{ $labels.cluster }}: broker {{ $labels.broker }} is {{ $value | humanizeDuration }} slower than usual, its peers are not",
			figures: "For three minutes probes led by broker {{ $labels.broker }} of cluster {{ $labels.cluster }} have taken {{ $value | humanizeDuration }} longer than usual, beyond what its median peer grew by; commit is left out (profile {{ $labels.profile }}).",
			next:    "compare the broker's disk, network and garbage collection with its peers'; if it does not recover, move leadership off it (the runbook has the commands) before you restart it.",
		},
		alert{
			name: "BrokerDegraded", severity: warning, team: teamKafka, forTime: "3m", phases: true,
			labels:  map[string]string{"role": "follower"},
			comment: "As a follower: leaders wait for it.",
			expr: `kafka_canary:slow_follower:excess5m` + of + `
and
kafka_canary:slow_follower:excess1m`,
			summary: "Kafka cluster {{ $labels.cluster }}: leaders wait {{ $value | humanizeDuration }} longer than usual for broker {{ $labels.broker }}",
			figures: "For three minutes broker {{ $labels.broker }} of cluster {{ $labels.cluster }} has been slow as a follower: leaders need {{ $value | humanizeDuration }} longer than usual to commit (profile {{ $labels.profile }}).",
			next:    "see on the broker itself that it is slow: replica fetchers, disk, network. Moving leadership does not help here, and who waits for whom is inferred: do not stop it for this alone.",
		},
		alert{
			name: "ProbesLost", severity: warning, team: teamKafka,
			expr: fmt.Sprintf(`sum by (cluster, profile) (increase(kafka_canary_probes_total%s[5m])) >= %s`,
				with(`outcome=~"lost|send_failed"`), number(t.LostProbes)),
			summary: "Kafka cluster {{ $labels.cluster }}: {{ printf \"%.0f\" $value }} probes were lost in five minutes",
			figures: `{{ printf "%.0f" $value }} probes of cluster {{ $labels.cluster }} were refused or did not come back within the loss horizon (profile {{ $labels.profile }})` +
				`{{ range query (` + ofLabels(`sum by (leader) (increase(kafka_canary_probes_total{outcome=~"lost|send_failed",CP}[5m])) > 0`) +
				`) | sortByLabel "leader" }}; leader {{ .Labels.leader }}: {{ printf "%.0f" .Value }}{{ end }}.`,
			next: "read the canary's log and /status for the errors that Kafka gave, then the log of that leader.",
		},
		alert{
			name: "CatchUpGrowing", severity: warning, team: teamKafka, forTime: "5m", phases: true, leader: "leader",
			comment: "unless, and not and: the last minute has no mean where no probe came back, which is no sign that the consumer keeps up.",
			expr: fmt.Sprintf(`%[1]s:mean5m%[2]s > %[3]s
unless
%[1]s:mean1m%[2]s <= %[3]s`, phaseByLeader, with(`phase="catch_up"`), number(t.CatchUpSeconds)),
			summary: "Kafka cluster {{ $labels.cluster }}: the consumer is behind on leader {{ $labels.leader }}",
			figures: "For five minutes probes led by broker {{ $labels.leader }} of cluster {{ $labels.cluster }} have waited for the consumer to read what came before them, now {{ $value | humanizeDuration }} on average (phase catch_up, profile {{ $labels.profile }}).",
			next:    "see whether the canary's own consumer is starved (kafka_canary_hiccup_seconds), then whether fetches from that leader are slow.",
		},
		clientsSlower(t, of),
	)
	file := ruleFile{path: "rules/kafka-canary-alerts.yml", comment: "Alerts on what the canary's probes say about Kafka; for which profiles: settings.yml.\n"}
	own := alertGroup(s, "kafka-canary-own-alerts", canaryAlerts(s)...)
	own.rules = append([]rule{starvedRule()}, own.rules...)
	file.groups = []group{
		alertGroup(s, "kafka-canary-latency-alerts", alerts...),
		canaryDown(s),
		own,
	}
	return file
}

const target = `{{ with query (printf "max(kafka_canary_slo_target_seconds{cluster=%q,profile=%q})" $labels.cluster $labels.profile) }}{{ . | first | value | humanizeDuration }}{{ end }}`

// clientsSlower compares what an application's own producers push with what the canary measures from sending a request to its commit.
func clientsSlower(t thresholds, of string) alert {
	rate := func(part string) string {
		return "sum by (cluster, client_id) (rate(kafka_client_producer_request_latency_seconds_" + part + "[5m]))"
	}
	return alert{
		name: "ClientsSlowerThanCanary", severity: warning, team: teamKafka, forTime: "10m",
		comment: `What a client pushes about its produce requests, against the canary's publish and commit, which take as long where all is alike. Clients with
another acks, batches a hundred times as large or a longer way are slower by nature: hence the factor.`,
		expr: fmt.Sprintf(`(
  %[1]s
  / %[2]s
)
> on (cluster) group_left ()
(
  %[3]s * max by (cluster) (sum by (cluster, profile) (%[4]s:mean5m{%[5]s,phase=~"publish|commit"})) + %[6]s
)
and
%[2]s * 300 >= %[7]s`, rate("sum"), rate("count"), number(t.ClientsSlowerRatio), phaseByCluster, strings.Trim(of, "{}"), number(t.ClientsSlowerSeconds),
			number(t.ClientsRequests)),
		summary: "Kafka cluster {{ $labels.cluster }}: produce requests of {{ $labels.client_id }} take {{ $value | humanizeDuration }}, which the canary does not see",
		figures: "For ten minutes the produce requests of client {{ $labels.client_id }} on cluster {{ $labels.cluster }} have taken {{ $value | humanizeDuration }} on the mean, as it measures them itself" +
			`{{ with query (printf "max(sum by (profile) (` + phaseByCluster + `:mean5m{cluster=%q,` + strings.ReplaceAll(strings.Trim(of, "{}"), `"`, `\"`) +
			`,phase=~\"publish|commit\"}))" $labels.cluster) }}; ` +
			`the canary's, from sending to commit, {{ . | first | value | humanizeDuration }}{{ end }}.`,
		next: "ask the application's team what changed: its network and hosts, acks, batch size, quotas; then see which brokers it produces to (the dashboard Clients has it by client).",
	}
}

// burnAlert is one row of the burn rates.
func burnAlert(s settings, b burnRate, of string) alert {
	long, short := string(b.Long), string(b.Short)
	return alert{
		name: b.Alert, severity: b.Severity, team: teamKafka, phases: true,
		labels: map[string]string{"window": long},
		expr: fmt.Sprintf(`kafka_canary:slo_burn_rate:ratio%[1]s%[3]s >= %[4]s
and
kafka_canary:slo_burn_rate:ratio%[2]s%[3]s >= %[4]s
and
kafka_canary:slo_bad_probes:increase%[1]s%[3]s >= %[5]d`, long, short, of, number(b.Rate), s.SLO.MinBadProbes),
		summary: `Kafka cluster {{ $labels.cluster }}: the {{ $labels.slo }} budget burns {{ $value | printf "%.1f" }} times too fast`,
		figures: "Within the last " + long + `, {{ with query (printf "kafka_canary:slo_bad_probes:increase` + long +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | printf "%.0f" }}{{ end }} of ` +
			`{{ with query (printf "kafka_canary:slo_probes:increase` + long +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | printf "%.0f" }}{{ end }} probes of cluster {{ $labels.cluster }} ` +
			`{{ if eq $labels.slo "latency" }}took longer than ` + target + ` or were lost{{ else }}were lost{{ end }} (profile {{ $labels.profile }}); at this rate the ` +
			string(s.SLO.Period) + ` budget is used up in {{ $value | printf "scalar(vector(` + fmt.Sprint(s.SLO.Period.seconds()) +
			` / %f))" | query | first | value | humanizeDuration }}. Left of it: ` +
			`{{ with query (printf "kafka_canary:slo_budget_remaining:ratio` + string(s.SLO.Period) +
			`{cluster=%q,profile=%q,slo=%q}" $labels.cluster $labels.profile $labels.slo) }}{{ . | first | value | humanizePercentage }}{{ else }}not known yet{{ end }}.`,
		next: "find the leader and the phase that stand out, and what changed when it began; the dashboard shows both.",
	}
}
