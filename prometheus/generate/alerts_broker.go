// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

const (
	ofBroker  = "Kafka cluster {{ $labels.cluster }}, broker {{ $labels.broker }}: "
	ofCluster = "Kafka cluster {{ $labels.cluster }}: "
)

// brokerAlertRules watch what the brokers' exporters say. Their targets carry the labels cluster and broker.
func brokerAlertRules(s settings) ruleFile {
	t := s.Thresholds
	perBroker := func(metric string) string { return "max by (cluster, broker) (" + metric + ofNode + ")" }
	alerts := append(clusterAlerts(s), []alert{
		{
			name: "UnderReplicatedPartitions", severity: warning, forTime: "5m", leader: "broker",
			expr:    perBroker("kafka_server_replicamanager_underreplicatedpartitions") + " > 0",
			summary: ofBroker + "{{ $value }} partitions are under-replicated",
			figures: "For five minutes {{ $value }} partitions led by broker {{ $labels.broker }} have had a replica out of sync. They survive one failure less than they should.",
			next:    "Find the broker that they have in common: kafka-topics.sh --describe --under-replicated-partitions.",
		},
		{
			name: "OfflineLogDirectory", severity: warning, forTime: "1m", leader: "broker",
			comment: "Which directory is not exported: a bean by directory is found only by a search through the beans of all partitions.",
			expr:    perBroker("kafka_log_logmanager_offlinelogdirectorycount") + " > 0",
			summary: ofBroker + "{{ $value }} log directories have failed",
			figures: "For a minute {{ $value }} log directories of broker {{ $labels.broker }} have been offline. The broker runs on without the replicas in them: they neither lead nor follow until the disk is mended and the broker restarted.",
			next:    "Find which: kafka-log-dirs.sh --describe --broker-list {{ $labels.broker }} shows an error beside it, and so does the broker's log. Is the disk full, read-only or broken?",
		},
		{
			name: "UnderMinIsr", severity: critical, forTime: "30s", leader: "broker",
			expr:    perBroker("kafka_server_replicamanager_underminisrpartitioncount") + " > 0",
			summary: ofBroker + "{{ $value }} partitions refuse producers with acks=all",
			figures: "{{ $value }} partitions led by broker {{ $labels.broker }} have fewer in-sync replicas than min.insync.replicas. Every write to them with acks=all fails.",
			next:    "Bring back the missing brokers. kafka-topics.sh --describe --under-min-isr-partitions names them.",
		},
		{
			name: "OfflinePartitions", severity: critical, forTime: "30s",
			comment: "Only the active controller knows.",
			expr:    `max by (cluster) (kafka_controller_kafkacontroller_offlinepartitionscount` + ofNode + ` and on (cluster, broker) ` + activeController + ` == 1) > 0`,
			summary: ofCluster + "{{ $value }} partitions have no leader",
			figures: "{{ $value }} partitions of cluster {{ $labels.cluster }} have no leader. Nobody can write to them or read from them.",
			next:    "Find the brokers that have their replicas: kafka-topics.sh --describe --unavailable-partitions. Start those that are down.",
		},
		{
			name: "IsrFlapping", severity: warning, leader: "broker",
			expr:    fmt.Sprintf("max by (cluster, broker) (count_over_time((increase(kafka_server_replicamanager_isrshrinks_total%s[1m]) > 0)[15m:1m])) >= %s", of(brokerJob), number(t.IsrFlappingMinutes)),
			summary: ofBroker + "replicas keep falling out of sync",
			figures: "In {{ $value }} of the last 15 minutes a follower of a partition led by broker {{ $labels.broker }} fell out of sync. Each time, commit waits and acks=all is slow.",
			next:    "Find the follower: run kafka-topics.sh --describe --under-replicated-partitions several times. Check its disk, network and garbage collection.",
		},
		{
			name: "RequestHandlersSaturated", severity: warning, forTime: "5m", leader: "broker",
			expr:    fmt.Sprintf(`kafka_broker:saturation:ratio5m{resource="request_handlers"} > %s`, number(t.SaturationRatio)),
			summary: ofBroker + "request handlers are {{ $value | humanizePercentage }} busy",
			figures: "Over five minutes the request handlers of broker {{ $labels.broker }} have been busy for {{ $value | humanizePercentage }} of the time. Requests begin to queue (phase publish).",
			next:    "See which requests take time (kafka_broker:request_phase_seconds:mean5m, phase local). Then spread leaders or raise num.io.threads.",
		},
		{
			name: "NetworkProcessorsSaturated", severity: warning, forTime: "5m", leader: "broker",
			expr:    fmt.Sprintf(`kafka_broker:saturation:ratio5m{resource="network_processors"} > %s`, number(t.SaturationRatio)),
			summary: ofBroker + "network threads are {{ $value | humanizePercentage }} busy",
			figures: "Over five minutes the network threads of broker {{ $labels.broker }} have been busy for {{ $value | humanizePercentage }} of the time. Requests and answers wait for them (phases publish and fetch).",
			next:    "Look for many small requests or many connections; TLS costs most here. Then raise num.network.threads.",
		},
		{
			name: "RequestQueueBacklog", severity: warning, forTime: "2m", leader: "broker",
			expr:    "kafka_broker:requests_waiting:mean1m > " + number(t.RequestQueue),
			summary: ofBroker + "{{ $value | printf \"%.0f\" }} requests wait for a request handler",
			figures: "For two minutes {{ $value | printf \"%.0f\" }} requests on average have waited in broker {{ $labels.broker }} (phase publish). At queued.max.requests (" +
				number(t.QueuedMaxRequests) + " in the rules' settings) it stops reading from its clients.",
			next: "See what holds the handlers: a slow disk (LogFlushSlow), garbage collection (GcPauses) or too much load (RequestHandlersSaturated).",
		},
		{
			name: "SlowFollower", severity: warning, forTime: "5m", leader: "broker",
			expr:    "max by (cluster, broker) (min_over_time(kafka_server_replicafetchermanager_maxlag" + of(brokerJob) + "[2m]))" + " > " + number(t.SlowFollowerRecords),
			summary: ofBroker + "a replica is {{ $value | printf \"%.0f\" }} records behind its leader",
			figures: "For five minutes a replica on broker {{ $labels.broker }} has been at least {{ $value | printf \"%.0f\" }} records behind its leader. While it is in sync, acks=all waits for it (phase commit).",
			next:    "Check disk and network of the broker. After a restart or during a reassignment it catches up, and this alert ends by itself.",
		},
		{
			name: "LogFlushSlow", severity: warning, forTime: "5m", leader: "broker",
			expr:    "max by (cluster, broker) (kafka_broker:log_flush_seconds:mean5m)" + " > " + number(t.LogFlushSeconds),
			summary: ofBroker + "a log flush takes {{ $value | humanizeDuration }}",
			figures: "Over five minutes a log flush to disk on broker {{ $labels.broker }} has taken {{ $value | humanizeDuration }} on average. Appends wait for the disk (phases publish and commit).",
			next:    "Check the disk: its queue and latency (iostat -x 5), its health, and who else writes to it.",
		},
		{
			name: "GcPauses", severity: warning, forTime: "5m", leader: "broker",
			comment: "ZGC and Shenandoah report concurrent cycles as a collector of their own. Cycles are no pauses.",
			expr:    fmt.Sprintf(`sum by (cluster, broker) (max by (cluster, broker, gc) (rate(jvm_gc_collection_seconds_sum{job="kafka-broker",gc!~".*Cycles"}[5m]))) > %s`, number(t.GcRatio)),
			summary: ofBroker + "garbage collection pauses it for {{ $value | humanizePercentage }} of the time",
			figures: "Over five minutes broker {{ $labels.broker }} has spent {{ $value | humanizePercentage }} of the time in pauses for garbage collection. Every request waits during a pause.",
			next:    "Check the heap after collections (jvm_memory_used_bytes), large batches, and conversions of old formats. Then raise the heap.",
		},
		{
			name: "NoActiveController", severity: critical, forTime: "1m",
			comment: `Second part: a controller was scraped within the last hour and none is now, while brokers answer. Not where an exporter answers without its
beans, which hang with Kafka's locks: that node may be the active one.`,
			expr: `(
  sum by (cluster) (` + activeController + `) < 1
  or
  (
    0 * group by (cluster) (last_over_time(` + controllers + `[1h]))
    unless
    group by (cluster) (` + activeController + `)
    and
    group by (cluster) (up{job="kafka-broker"} == 1)
  )
)
unless on (cluster)
(
  up{job=~"kafka-broker|kafka-controller"} == 1
  and on (cluster, broker)
  last_over_time(` + controllers + `[1h])
  unless on (cluster, broker)
  ` + activeController + `
)`,
			summary: ofCluster + "there is no active controller",
			figures: "For a minute no node of cluster {{ $labels.cluster }} that answers has been the active controller. No leader can be elected, and no topic can be changed.",
			next:    "See how many voters of the metadata quorum run: kafka-metadata-quorum.sh describe --status. It needs more than half.",
		},
		{
			name: "MultipleActiveControllers", severity: critical, forTime: "1m",
			expr:    `sum by (cluster) (` + activeController + `) > 1`,
			summary: ofCluster + "{{ $value }} nodes claim to be the active controller",
			figures: "For a minute {{ $value }} nodes of cluster {{ $labels.cluster }} have claimed to be the active controller. Only the one with the latest epoch is obeyed.",
			next:    "Compare kafka_server_raft_metrics_current_epoch and kafka_server_raft_metrics_current_leader of the nodes. A node that differs is cut off from the quorum.",
		},
		{
			name: "MetadataLag", severity: warning, forTime: "2m", leader: "broker",
			expr:    perBroker("kafka_server_broker_metadata_metrics_last_applied_record_lag_ms") + " / 1000 > " + number(t.MetadataLagSeconds),
			summary: ofBroker + "its metadata is {{ $value | humanizeDuration }} old",
			figures: "For two minutes the metadata of broker {{ $labels.broker }} (leaders, topics, rights) has been {{ $value | humanizeDuration }} old. It serves partitions that it no longer leads, and does not know new ones.",
			next:    "Check whether it reaches the active controller. Read its log for errors of the metadata loader.",
		},
		{
			name: "RemoteStorageLagging", severity: warning, forTime: "15m", leader: "broker",
			comment: "Only brokers with tiered storage have this series.",
			expr:    "sum by (cluster, broker) (max by (cluster, broker, topic) (kafka_server_brokertopicmetrics_remotecopylagbytes" + ofNode + ")) > " + number(t.RemoteLagBytes),
			summary: ofBroker + "{{ $value | humanize1024 }}B wait to be copied to tiered storage",
			figures: "For 15 minutes {{ $value | humanize1024 }}B on broker {{ $labels.broker }} have waited to be copied to tiered storage. Until then they stay on local disks, which fill up.",
			next:    "Read the broker's log for errors of RemoteLogManager. Check whether the remote storage answers.",
		},
		{
			name: "ExporterTimingInactive", severity: warning, team: teamMonitoring, forTime: "5m", leader: "broker",
			comment: "A JVM without Kafka is no broker whose requests could be timed: BrokerDown tells of it.",
			expr: `max by (cluster, broker, kafka_version) (kafka_exporter_request_timing_active` + ofNode + `) == 0
unless on (cluster, broker)
max by (cluster, broker) (kafka_exporter_kafka_node` + ofNode + `) == 0`,
			summary: ofBroker + "request phases are not timed",
			figures: "The agent in broker {{ $labels.broker }} (Kafka {{ $labels.kafka_version }}) does not time requests: kafka_request_phase_seconds has no series of this broker. Everything else works.",
			next:    "Read what the agent logged when the broker started. It does not know this version of Kafka, or timing is switched off.",
		},
		{
			name: "ExporterHookFailed", severity: warning, team: teamMonitoring, leader: "broker",
			comment: "Timing has an alert of its own.",
			expr:    "max by (cluster, broker, hook) (kafka_exporter_hook_failures_total" + of(nodeJobs, `hook!="request_timing"`) + ") > 0",
			summary: ofBroker + "the exporter's hook {{ $labels.hook }} has failed",
			figures: "The agent in broker {{ $labels.broker }} gets nothing more from Kafka through the hook {{ $labels.hook }}. The metrics that need it no longer change. Everything else works.",
			next:    "Read the agent's line in the broker's log. It says why, and what is missing now.",
		},
		{
			name: "ExporterIncomplete", severity: warning, team: teamMonitoring, forTime: "5m", leader: "broker",
			comment: "Metrics of beans can be missing as a whole, and every alert on them is silent then. A configuration with a fault is not in use.",
			expr: `max by (cluster, broker) (increase(kafka_exporter_scrape_errors_total` + ofNode + `[2m])) > 0
or
max by (cluster, broker) (kafka_exporter_config_error` + ofNode + `) == 1`,
			summary: ofBroker + "the exporter cannot read something that it should",
			figures: "For five minutes scrapes of the agent in broker {{ $labels.broker }} have lacked metrics, or its configuration has a fault. Alerts on what is missing cannot fire.",
			next:    "Read the agent's lines in the broker's log: they name the rule, the bean or the key. Then run phasewise-exporter.jar --check-config with the configuration.",
		},
		clientPushesFail(t),
	}...)
	for i := range alerts {
		if alerts[i].team == "" {
			alerts[i].team = teamKafka
		}
	}
	return ruleFile{
		path:    "rules/kafka-broker-alerts.yml",
		comment: "Alerts on what the brokers' exporters say.\n",
		groups:  []group{brokerTargetRules(), alertGroup(s, "kafka-broker-alerts", alerts...)},
	}
}

// monitoringAlertRules watch the monitoring itself.
func monitoringAlertRules(s settings) ruleFile {
	watchdog := alert{
		name: "Watchdog", severity: "none", team: teamMonitoring,
		comment: "Always fires. Its receiver raises the alarm when it stops: then this whole chain is broken.",
		expr:    "vector(1)",
		summary: "Alerts reach you",
		figures: "This alert always fires. It shows a dead man's switch that Prometheus, Alertmanager and the way to you work.",
		next:    "Nothing while it arrives. When it stops, check Prometheus and Alertmanager.",
	}
	slow := alert{
		name: "RuleEvaluationSlow", severity: warning, team: teamMonitoring, forTime: "5m",
		expr: `(
  prometheus_rule_group_last_duration_seconds / prometheus_rule_group_interval_seconds > 0.5
)
or
increase(prometheus_rule_evaluation_failures_total[5m]) > 0`,
		summary: "Prometheus {{ $labels.instance }}: rules of {{ $labels.rule_group | reReplaceAll \".*;\" \"\" }} are too slow or fail",
		figures: "For five minutes the rule group {{ $labels.rule_group | reReplaceAll \".*/\" \"\" }} of {{ $labels.instance }} has needed more than half of its interval ({{ $value | humanizePercentage }}), or its rules failed. Recorded series have gaps, and alerts are delayed.",
		next:    "Open Status > Rule health in Prometheus. It shows the time of each rule, and its error.",
	}
	return ruleFile{
		path:    "rules/monitoring.yml",
		comment: "Alerts on the monitoring itself.\n",
		groups:  []group{alertGroup(s, "kafka-monitoring-alerts", watchdog, slow)},
	}
}
