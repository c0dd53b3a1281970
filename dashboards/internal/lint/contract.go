// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"regexp"
	"slices"
	"strings"
)

// The names that dashboards may rely on. They are promises to users: renaming one breaks dashboards and alerts that are not in
// this repository.
var (
	canaryHistograms = []string{
		"kafka_canary_end_to_end_latency_seconds",
		"kafka_canary_phase_latency_seconds",
		"kafka_canary_producer_latency_seconds",
		"kafka_canary_consumer_latency_seconds",
		"kafka_canary_schedule_lag_seconds",
		"kafka_canary_hiccup_seconds",
	}
	canaryOthers = []string{
		"kafka_canary_probes_scheduled_total",
		"kafka_canary_probes_total",
		"kafka_canary_duplicates_total",
		"kafka_canary_out_of_order_total",
		"kafka_canary_probes_in_flight",
		"kafka_canary_slo_probes_total",
		"kafka_canary_slo_target_seconds",
		"kafka_canary_slo_objective_ratio",
		"kafka_canary_clock_offset_seconds",
		"kafka_canary_clock_uncertainty_seconds",
		"kafka_canary_clock_steps_total",
		"kafka_canary_network_one_way_delay_seconds",
		"kafka_canary_partition_leader_info",
		"kafka_canary_config_info",
	}
	// From exporter/rules/kafka-broker.yml: the names of the JMX exporter's well-known Kafka example.
	broker = []string{
		"kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent",
		"kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent",
		"kafka_server_replicamanager_underreplicatedpartitions",
	}
	// What Prometheus makes itself.
	prometheus = []string{"up", "ALERTS", "ALERTS_FOR_STATE"}

	recorded = regexp.MustCompile(
		`^kafka_canary:(end_to_end|producer|consumer)_latency_seconds_by_(leader|cluster):quantile(1m|5m)$`)
)

// IsPromised says whether a metric, or a part of a classic histogram, is one of those names.
func IsPromised(metric string) bool {
	if recorded.MatchString(metric) {
		return true
	}
	for _, suffix := range []string{"", "_bucket", "_count", "_sum"} {
		if family, ok := strings.CutSuffix(metric, suffix); ok && slices.Contains(canaryHistograms, family) {
			return true
		}
	}
	return slices.Contains(canaryOthers, metric) || slices.Contains(broker, metric) || slices.Contains(prometheus, metric)
}

// IsRecorded says whether the name is one that a recording rule makes.
func IsRecorded(metric string) bool { return strings.Contains(metric, ":") }
