// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

const canaryNext = "Check whether the canary's process runs and answers on /-/healthy. Then read its log."

// canaryDown is the alert that nobody measures any more; it remembers who measured what.
func canaryDown(s settings) group {
	const targets = "kafka_canary:targets_by_cluster:last1h"
	g := alertGroup(s, "kafka-canary-down",
		alert{
			name: "CanaryDown", severity: critical, team: teamMonitoring, forTime: "30s",
			comment: `Nobody measures a cluster: every canary that did so within the last hour is down or no longer a target. A cluster that was taken out of
the configuration of a canary that is up does not count. Second part: no canary is up at all and none was within the last hour.
for: a restart of the canary (some 10 s) and one failed scrape pass unseen; with scrape (5 s) and evaluation (5 s) it fires within 40 s.`,
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
			figures: "For 30 seconds no canary has measured {{ with $labels.cluster }}cluster {{ . }}. Within the last hour it was measured by " +
				`{{ range $i, $target := printf "topk(10, ` + targets + `{cluster=%q})" . | query | sortByLabel "instance" }}{{ if $i }}, {{ end }}{{ .Labels.instance }}{{ end }}` +
				"{{ else }}any cluster. None did within the last hour, or its job is not named kafka-canary{{ end }}. Latency is unknown, and no latency alert can fire.",
			next: canaryNext + "{{ if not $labels.cluster }} If it runs, name its job kafka-canary (runbook JobNotKnown).{{ end }}",
		},
		alert{
			name: "CanaryDown", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "One canary of several is down: the others measure on, without a spare.",
			expr: `(` + targets + ` and on (job, instance) ` + canariesUp + ` == 0)
and on (cluster)
(` + targets + ` and on (job, instance) up{job="kafka-canary"} == 1)`,
			summary: "Canary {{ $labels.instance }} is down; others still measure Kafka cluster {{ $labels.cluster }}",
			figures: "Canary {{ $labels.instance }} has not answered for five minutes. Another canary still measures cluster {{ $labels.cluster }}. If that one fails too, latency is unknown.",
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
			comment: `Probes that were bad only because the canary's own process was paused: without the pauses their latency is within the target. One alert for each
canary. With the label holds_back it mutes the latency alerts of the cluster and profile: only where such probes are at least half of the bad ones of
all its canaries. No for: it must be there when those alerts are.`,
			expr: fmt.Sprintf(`label_replace(
  %[1]s > %[2]s
  and on (cluster, profile)
  %[3]s, "holds_back", "latency", "", "")
or on (cluster, profile, job, instance)
%[1]s > %[2]s`, starved, number(t.StarvedRatio), mostlyStalled("cluster, profile")),
			summary: "Canary {{ $labels.instance }} of Kafka cluster {{ $labels.cluster }} is starved: do not trust its latencies",
			figures: "In five minutes {{ $value | humanizePercentage }} of the probes of canary {{ $labels.instance }} on cluster {{ $labels.cluster }} were bad only because the canary's own process was paused. They are at least half of its bad probes (profile {{ $labels.profile }})." +
				"{{ if $labels.holds_back }} Latency alerts of the cluster are held back.{{ else }} Other canaries see bad probes that such pauses do not explain, so latency alerts are not held back.{{ end }}",
			next: "Check processor, memory and garbage collection of the canary's host. Give the canary a core of its own.",
		},
		{
			name: "BaselineMissing", severity: warning, team: teamMonitoring, forTime: "10m",
			comment: "The canary measured two hours ago and measures now. Half an hour is enough for a baseline.",
			expr: fmt.Sprintf(`group by (cluster, profile) (%[1]s:mean5m{profile=~"%[2]s"} >= 0)
and
group by (cluster, profile) (kafka_canary_slo_target_seconds{%[4]s} offset 2h)
unless
group by (cluster, profile) (%[1]s:baseline%[3]s)`, phaseByCluster, s.Profiles, s.Baseline.Window, canaryJob),
			summary: "Kafka cluster {{ $labels.cluster }}: there is no baseline to compare with",
			figures: "The canary has measured cluster {{ $labels.cluster }} for more than two hours, and Prometheus has no baseline of its phases (profile {{ $labels.profile }}). PhaseRegression cannot fire. No broker can be named by inference.",
			next:    "Open Status > Rule health in Prometheus: does the group kafka-canary-baseline fail? Then count its samples (the runbook has the query).",
		},
		{
			name: "ClockUncertain", severity: warning, team: teamMonitoring, forTime: "10m", leader: "broker",
			expr:    fmt.Sprintf("max by (cluster, broker) (kafka_canary_clock_uncertainty_seconds{"+canaryJob+"}) > %s", number(t.ClockUncertaintySeconds)),
			summary: "Kafka cluster {{ $labels.cluster }}: publish and commit on broker {{ $labels.broker }} are known only to within {{ $value | humanizeDuration }}",
			figures: "For ten minutes the canary has known the clock of broker {{ $labels.broker }} of cluster {{ $labels.cluster }} only to within {{ $value | humanizeDuration }}. The border between publish and commit is no more exact than that. End-to-end latency is not affected.",
			next:    "See whether the broker's clock steps or drifts (kafka_canary_clock_steps_total, chronyc tracking), and whether any probe to it is fast.",
		},
		{
			name: "CanaryPaused", severity: warning, team: teamMonitoring, forTime: "1h",
			comment: "Somebody paused every canary of a cluster, and may have forgotten it.",
			expr:    "min by (cluster) (kafka_canary_paused" + ofCanary + ") == 1",
			summary: "Kafka cluster {{ $labels.cluster }} is not measured: its canary has been paused for an hour",
			figures: "Every canary of cluster {{ $labels.cluster }} has been paused for an hour. Its latency is unknown, and no latency alert can fire.",
			next:    "Ask who paused it, and why. It continues when its pause file is removed.",
		},
		{
			name: "ClusterNotMeasured", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "No canary sends into it, and none is asked not to: credentials that are refused, a port that is no Kafka broker, a topic that cannot be made. Whose topic or group it is has alerts of its own.",
			expr: `group by (cluster, profile) (kafka_canary_paused` + ofCanary + ` == 0)
unless on (cluster, profile)
group by (cluster, profile) (increase(kafka_canary_probes_scheduled_total` + ofCanary + `[5m]) > 0)
unless on (cluster, profile)
group by (cluster, profile) (kafka_canary_topic_ownership` + notOurs + ` == 1)
unless on (cluster, profile)
group by (cluster, profile) (kafka_canary_group_ownership` + notOurs + ` == 1)`,
			summary: "Kafka cluster {{ $labels.cluster }} is not measured: no canary sends probes (profile {{ $labels.profile }})",
			figures: "For five minutes no canary has sent a probe of profile {{ $labels.profile }} into cluster {{ $labels.cluster }}, and none is paused. Its latency is unknown, and no latency alert can fire.",
			next:    "Read the problems in /status of the canary: they name the address, the right or the key of the configuration.",
		},
		{
			name: "CanaryTopicNotOurs", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "A topic of somebody else's is neither changed nor sent into, so it is not measured; of one whose mark is gone nobody knows after a restart.",
			expr:    `max by (cluster, profile, ownership) (kafka_canary_topic_ownership` + notOurs + `) == 1`,
			summary: "Kafka cluster {{ $labels.cluster }}: the topic of the canary's probes is not known to be the canary's (profile {{ $labels.profile }}, {{ $labels.ownership }})",
			figures: "For five minutes the topic that profile {{ $labels.profile }} of cluster {{ $labels.cluster }} is configured with has had the ownership {{ $labels.ownership }}." +
				` {{ if eq $labels.ownership "foreign" }}It is somebody else's: the canary leaves it as it is and sends nothing into it, so nothing is measured.` +
				`{{ else }}Its mark is gone or cannot be read: the canary changes nothing of it. Probes go on at most until the canary is started again, unless the topic is adopted.{{ end }}`,
			next: "Read the problem in /status of the canary: it names the topic and why. Then choose another topic.name, or set topic.adopt: true if the topic is for the canary alone.",
		},
		{
			name: "CanaryGroupNotOurs", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "A consumer group of somebody else's is not joined, so the profile is not measured.",
			expr:    `max by (cluster, profile, ownership) (kafka_canary_group_ownership` + notOurs + `) == 1`,
			summary: "Kafka cluster {{ $labels.cluster }}: the consumer group of the canary is not known to be the canary's (profile {{ $labels.profile }}, {{ $labels.ownership }})",
			figures: "For five minutes the consumer group that profile {{ $labels.profile }} of cluster {{ $labels.cluster }} is configured with has had the ownership {{ $labels.ownership }}." +
				" The canary has not joined it, has committed nothing and sends no probe, so nothing is measured.",
			next: "Read the problem in /status of the canary: it names the group and what is in it. Then give the canary another consumer-group.id, or none.",
		},
		{
			name: "BrokerUnreachableForCanary", severity: warning, team: teamKafka, forTime: "3m", leader: "broker",
			comment: "By canary: another one may reach it. A broker that is down, as the cluster says, has no such series.",
			expr:    "max by (cluster, broker, instance) (kafka_canary_broker_reachable" + ofCanary + ") == 0",
			summary: "Kafka cluster {{ $labels.cluster }}: canary {{ $labels.instance }} cannot connect to broker {{ $labels.broker }}",
			figures: "For three minutes canary {{ $labels.instance }} has not got an answer from broker {{ $labels.broker }} of cluster {{ $labels.cluster }}. Nobody measures the broker from there. Applications that are told the same address cannot use it either.",
			next:    "Read the problem broker {{ $labels.broker }} on the canary's page or in /status: it has the address and the reason (unknown host, refused, no answer, TLS, authentication).",
		},
		{
			name: "BrokerNotMeasured", severity: warning, team: teamMonitoring, forTime: "10m", leader: "broker",
			comment: "The broker answers the canary's pings and leads no partition that carries probes, while another one does: where none does, the cluster is not measured, which has alerts of its own.",
			expr: `max by (cluster, broker) (kafka_canary_broker_reachable` + ofCanary + `) == 1
unless on (cluster, broker)
label_replace(kafka_canary_partition_leader_info` + ofCanary + `, "broker", "$1", "leader", "(.+)")
and on (cluster)
group by (cluster) (kafka_canary_partition_leader_info` + ofCanary + `)`,
			summary: "Kafka cluster {{ $labels.cluster }}: broker {{ $labels.broker }} is up, and no probe measures it",
			figures: "For ten minutes broker {{ $labels.broker }} of cluster {{ $labels.cluster }} has answered the canary and has led no partition that carries probes. Its latency is unknown, and no latency alert about it can fire.",
			next:    "Read the problems on the canary's page or in /status: a replica that is not in sync, a log directory that failed, or a topic with too few partitions.",
		},
		{
			name: "ClusterLabelTaken", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: "Prometheus renames a label of a series that the target's own label would hide. Every rule joins by cluster, so none of them is right any more.",
			expr:    `group by (cluster, exported_cluster) ({__name__=~"kafka_canary_paused|kafka_canary_slo_target_seconds", job="kafka-canary", exported_cluster!=""})`,
			summary: "Kafka cluster {{ $labels.exported_cluster }} is shown as {{ $labels.cluster }}: the canary's target has a label cluster of its own",
			figures: "The canary says that it measures cluster {{ $labels.exported_cluster }}. Prometheus has written cluster {{ $labels.cluster }} over it, because the scrape target has that label. Nothing joins with the brokers' metrics, and several clusters of one canary become one.",
			next:    "Remove the label cluster from the canary's target (static_configs, relabel_configs, labels of a ServiceMonitor). The canary's own label says which cluster it is.",
		},
		{
			name: "JobNotKnown", severity: warning, team: teamMonitoring, forTime: "5m",
			comment: `Rules and dashboards read three jobs by their names. Where others alone scrape a cluster's canary, or its brokers, nothing about these is recorded. One
of the two does not excuse the other. Older exporters have no kafka_exporter_kafka_node.`,
			expr: fmt.Sprintf(`label_replace(
  group by (cluster) ({__name__=~"kafka_canary_paused", job!~"kafka-canary|kafka-broker|kafka-controller"})
  unless on (cluster)
  group by (cluster) (kafka_canary_paused%s), "role", "canary", "", "")
or
label_replace(
  group by (cluster) ({__name__=~"kafka_exporter_hook_active|kafka_exporter_kafka_node", job!~"kafka-canary|kafka-broker|kafka-controller"})
  unless on (cluster)
  group by (cluster) (kafka_exporter_hook_active%[2]s or kafka_exporter_kafka_node%[2]s), "role", "brokers", "", "")`, ofCanary, ofNode),
			summary: "Kafka {{ with $labels.cluster }}cluster {{ . }}{{ else }}without a label cluster{{ end }}: no job whose name the rules and dashboards know scrapes its {{ $labels.role }}",
			figures: "Metrics of the {{ $labels.role }} of {{ with $labels.cluster }}cluster {{ . }}{{ else }}a cluster without a label cluster{{ end }} come from jobs of other names, and none from the job " + jobOfRole +
				`. {{ if eq $labels.role "canary" }}No latency of it is recorded, and no alert on its latency can fire, except CanaryDown.{{ else }}Nothing of them is recorded, and no alert on them can fire.{{ end }} Dashboards that show it are empty.`,
			next: "Name the job " + jobOfRole + ": job_name, or the label job by a relabeling.",
		},
		{
			name: "EstimateMistaken", severity: warning, team: teamMonitoring, forTime: "10m", leader: "leader",
			comment: "For probes that have both: the broker's measurement, and the canary's estimate without it.",
			expr: fmt.Sprintf(`max by (cluster, leader) (
  avg by (cluster, profile, leader, site, instance) (rate(kafka_canary_misestimated_probes_total{%[2]s}[10m]))
  / sum by (cluster, profile, leader, site, instance) (avg by (cluster, profile, leader, site, instance, outcome) (rate(kafka_canary_probes_total{%[2]s,outcome=~"delivered|late"}[10m])))
) > %[1]s`, number(t.MisestimatedRatio), canaryJob),
			summary: "Kafka cluster {{ $labels.cluster }}: the canary would estimate publish and commit wrongly for {{ $value | humanizePercentage }} of the probes to leader {{ $labels.leader }}",
			figures: "For ten minutes leader {{ $labels.leader }} of cluster {{ $labels.cluster }} has appended {{ $value | humanizePercentage }} of its probes earlier or later than the canary's estimate allows. Phases that the broker measured are right. Estimated phases charge commit with time of publish, or the other way round.",
			next:    "See which phase is wrong (panel Error of estimated phases, mean). Too much commit and too little publish is a slow write: Kafka stamps LogAppendTime before it.",
		},
	}
}

const jobOfRole = `{{ if eq $labels.role "canary" }}kafka-canary{{ else }}kafka-broker (kafka-controller for controllers){{ end }}`

const notOurs = "{" + canaryJob + `,ownership=~"foreign|unknown"}`

const starved = "kafka_canary:starved:ratio5m"

// mostlyStalled is true where the canary's own pauses explain at least half of the bad probes, by the labels given. When the last minute has bad probes of
// its own, it has to agree. So a fault of Kafka that begins beside a starved canary pages.
func mostlyStalled(by string) string {
	count := func(metric, window string) string {
		// verdict is a label of one of them.
		return "sum by (" + by + ") (" + perCanary("cluster, profile, leader, verdict, job", "increase("+metric+"["+window+"])") + ")"
	}
	const stalled, bad = "kafka_canary_stalled_bad_probes_total" + ofCanary, "kafka_canary_slo_probes_total{" + canaryJob + `,verdict="bad"}`
	return fmt.Sprintf(`(
    %s >= 0.5 * %s
    unless
    %s < 0.5 * %s
  )`, count(stalled, "5m"), count(bad, "5m"), count(stalled, "1m"), count(bad, "1m"))
}

// starvedRule records the share of a canary's probes that its own pauses made bad, where these are at least half of its bad ones.
func starvedRule() rule {
	const by = "cluster, profile, job, instance"
	return recording(starved, fmt.Sprintf(`(
  sum by (%[1]s) (avg by (%[1]s, site, leader) (increase(kafka_canary_stalled_bad_probes_total{%[3]s}[5m])))
  / sum by (%[1]s) (avg by (%[1]s, site, leader, verdict) (increase(kafka_canary_slo_probes_total{%[3]s}[5m])))
)
and
%[2]s`, by, mostlyStalled(by), canaryJob)).
		commented("Share of a canary's probes that were bad only because of its own pauses; only where these are at least half of its bad ones.")
}
