// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// What the canary exports. These names are promises to users: renaming one breaks dashboards and alerts that are not in this
// repository.
var (
	canaryHistograms = []string{
		"kafka_canary_end_to_end_latency_seconds",
		"kafka_canary_phase_latency_seconds",
		"kafka_canary_mirror_latency_seconds",
		"kafka_canary_producer_latency_seconds",
		"kafka_canary_consumer_latency_seconds",
		"kafka_canary_schedule_lag_seconds",
		"kafka_canary_hiccup_seconds",
		"kafka_canary_lane_wait_seconds",
		"kafka_canary_phase_estimate_error_seconds",
	}
	// What the agent on the brokers measures.
	agentHistograms = []string{
		"kafka_request_phase_seconds",
		"kafka_canary_request_phase_seconds",
		"kafka_log_append_seconds",
		"kafka_commit_seconds",
		"kafka_replica_ack_seconds",
	}
	agentOthers  = []string{"kafka_exporter_request_timing_active", "kafka_commit_gated_seconds_total"}
	canaryOthers = []string{
		"kafka_canary_probes_scheduled_total",
		"kafka_canary_probes_total",
		"kafka_canary_duplicates_total",
		"kafka_canary_out_of_order_total",
		"kafka_canary_probes_in_flight",
		"kafka_canary_probes_overdue",
		"kafka_canary_outage_suspected",
		"kafka_canary_slo_probes_total",
		"kafka_canary_resurfaced_total",
		"kafka_canary_stalled_probes_total",
		"kafka_canary_stalled_bad_probes_total",
		"kafka_canary_stalled_seconds_total",
		"kafka_canary_slow_probes_phase_seconds_total",
		"kafka_canary_slow_probes_mirror_seconds_total",
		"kafka_canary_run_queue_wait_seconds_total",
		"kafka_canary_lanes",
		"kafka_canary_slo_target_seconds",
		"kafka_canary_slo_objective_ratio",
		"kafka_canary_clock_offset_seconds",
		"kafka_canary_clock_uncertainty_seconds",
		"kafka_canary_clock_steps_total",
		"kafka_canary_phase_source",
		"kafka_canary_misestimated_probes_total",
		"kafka_canary_unmarked_probes_total",
		"kafka_canary_network_one_way_delay_seconds",
		"kafka_canary_network_round_trip_seconds",
		"kafka_canary_partition_leader_info",
		"kafka_canary_mirror_partition_leader_info",
		"kafka_canary_mirror_uncertainty_seconds",
		"kafka_canary_config_info",
	}
	// What Prometheus makes itself.
	prometheusOwn = []string{"up", "ALERTS", "ALERTS_FOR_STATE"}
	// Names that are others' promises: Kafka's client metrics as Micrometer names them, and node_exporter's.
	families = []string{"kafka_producer_", "kafka_consumer_", "node_"}
)

// Found without a YAML or Markdown library: promtool checks the rules' syntax, and the exporter's tests print its table.
var (
	documented = regexp.MustCompile("(?m)^\\| `([a-z][a-z0-9_]+)` \\|")
	summaries  = regexp.MustCompile("(?m)^\\| `([a-z][a-z0-9_]+)` \\| summary \\|")
	recorded   = regexp.MustCompile(`(?m)^\s*(?:-\s+)?record:\s*['"]?([a-zA-Z0-9_:]+)`)
)

// Contract is every metric name that a dashboard may use.
type Contract struct {
	names map[string]bool
}

// ReadContract collects the canary's names, the brokers' as exporter/README.md documents them, the clients' as docs/how-to/client-telemetry.md does, and the series that
// prometheus/rules records. It fails when a source cannot be read or names nothing.
func ReadContract(repository string) (Contract, error) {
	c := Contract{names: map[string]bool{}}
	c.add(canaryOthers...)
	c.add(prometheusOwn...)
	c.add(agentOthers...)
	for _, histogram := range slices.Concat(canaryHistograms, agentHistograms) {
		// The native form, and the parts of the classic one.
		c.add(histogram, histogram+"_bucket", histogram+"_count", histogram+"_sum")
	}
	if err := c.addFrom(filepath.Join(repository, "exporter/README.md"), documented); err != nil {
		return Contract{}, err
	}
	clients := filepath.Join(repository, "docs/how-to/client-telemetry.md")
	if err := c.addFrom(clients, documented); err != nil {
		return Contract{}, err
	}
	if err := c.addFrom(clients, summaries, "_sum", "_count"); err != nil {
		return Contract{}, err
	}
	for _, rules := range []string{"prometheus/rules/*.yml", "prometheus/rules/native/*.yml"} {
		if err := c.addFrom(filepath.Join(repository, rules), recorded); err != nil {
			return Contract{}, err
		}
	}
	return c, nil
}

// Promises says whether a dashboard may use the metric.
func (c Contract) Promises(metric string) bool {
	return c.names[metric] || slices.ContainsFunc(families, func(prefix string) bool {
		return len(metric) > len(prefix) && strings.HasPrefix(metric, prefix)
	})
}

func (c Contract) add(names ...string) {
	for _, name := range names {
		c.names[name] = true
	}
}

// addFrom adds what the pattern finds, with each of the endings, or as it is where none is given.
func (c Contract) addFrom(glob string, pattern *regexp.Regexp, endings ...string) error {
	files, err := filepath.Glob(glob)
	if err != nil {
		return err
	}
	found := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range pattern.FindAllSubmatch(content, -1) {
			if len(endings) == 0 {
				c.add(string(match[1]))
			}
			for _, ending := range endings {
				c.add(string(match[1]) + ending)
			}
			found++
		}
	}
	if found == 0 {
		return fmt.Errorf("%s names no metric", glob)
	}
	return nil
}
