// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

const (
	day = 24 * time.Hour
	// As the stack's rules record percentiles' rates, and the objective's.
	histogramStep = time.Minute
	recordedStep  = 15 * time.Second
	// What the review looks at once an hour or less often needs no sample every five seconds to be as costly to read.
	glanceStep = time.Minute
)

// days are 30 of them, up to today's midnight, all of them as fine as the stack scrapes.
func days(now time.Time) []span {
	var all []span
	end := now.Truncate(day)
	for at := end.Add(-30 * day); at.Before(end); at = at.Add(day) {
		all = append(all, span{at, at.Add(day), recentStep})
	}
	return all
}

// reviewed is every series that a review of 30 days reads of 100 brokers and one profile. Handlers are busiest at noon; every day and a half the objective
// is missed for twenty minutes.
func reviewed() []series {
	random := rand.New(rand.NewPCG(1, 2))
	var all []series
	add := func(every time.Duration, value func(int, time.Time) float64, name string, pairs ...string) {
		all = append(all, series{labels: named(name, pairs), every: every, value: value})
	}
	draw := func(probes int, median float64, name string, pairs ...string) {
		one := series{labels: named(name, pairs), every: histogramStep}
		for range minutes {
			h := minute(random, 5*probes, median)
			// Of five minutes, a second.
			h.Mul(0.2)
			one.histograms = append(one.histograms, h)
		}
		all = append(all, one)
	}
	const e2e, phase = "kafka_canary:end_to_end_latency_seconds", "kafka_canary:phase_latency_seconds"
	phases := []string{"produce", "publish", "commit", "catch_up", "fetch"}
	medians := []float64{0.0003, 0.0015, 0.002, 0.00005, 0.0007}

	for broker := 1; broker <= brokers; broker++ {
		id := strconv.Itoa(broker)
		leader := []string{"profile", "default", "leader", id}
		canary := slices.Concat([]string{"instance", "canary:9470", "job", "kafka-canary"}, leader)
		clock := []string{"profile", "default", "broker", id, "instance", "canary:9470", "job", "kafka-canary"}
		instance := []string{"broker", id, "instance", "broker-" + id + ":7071", "job", "kafka-broker"}

		draw(probesPerMinute, 0.004, e2e+"_by_leader:rate5m", leader...)
		for i, name := range phases {
			add(recordedStep, around(medians[i]), phase+"_by_leader:mean1m", append([]string{"phase", name}, leader...)...)
		}
		add(recentStep, counter(0.995), "kafka_canary_slo_probes_total", append([]string{"verdict", "good"}, canary...)...)
		add(recentStep, counter(0.005), "kafka_canary_slo_probes_total", append([]string{"verdict", "bad"}, canary...)...)
		for outcome, rate := range map[string]float64{"delivered": 1, "late": 0, "lost": 0, "send_failed": 0} {
			add(recentStep, counter(rate), "kafka_canary_probes_total", append([]string{"outcome", outcome}, canary...)...)
		}
		add(recentStep, counter(0.001), "kafka_canary_stalled_probes_total", canary...)
		add(recentStep, around(0.006), "kafka_canary_probes_in_flight", canary...)
		add(glanceStep, constant(1), "kafka_canary_partition_leader_info", append([]string{"partition", id, "preferred", "true"}, canary...)...)
		add(glanceStep, around(0.0003), "kafka_canary_clock_uncertainty_seconds", clock...)
		add(glanceStep, around(0.0002), "kafka_canary_network_one_way_delay_seconds", clock...)

		for _, name := range []string{"bytesin", "bytesout", "replicationbytesin", "messagesin"} {
			add(recentStep, counter(1e6), "kafka_server_brokertopicmetrics_"+name+"_total", instance...)
		}
		for _, request := range []string{"Produce", "FetchConsumer"} {
			add(recentStep, counter(500), "kafka_network_requestmetrics_requests_total", append([]string{"request", request, "version", "12"}, instance...)...)
		}
		add(glanceStep, around(400), "kafka_server_socket_server_metrics_connection_count", append([]string{"listener", "PLAINTEXT", "networkprocessor", "0"}, instance...)...)
		add(glanceStep, constant(1000), "kafka_server_replicamanager_partitioncount", instance...)
		add(glanceStep, constant(333), "kafka_server_replicamanager_leadercount", instance...)
		add(glanceStep, constant(1), "kafka_server_app_info_version", append([]string{"version", "4.4.0"}, instance...)...)
		add(glanceStep, constant(1.7e9), "process_start_time_seconds", instance...)
		add(glanceStep, constant(1), "kafka_broker_config_info", append([]string{"num_io_threads", "8", "num_network_threads", "3"}, instance...)...)
		for _, resource := range []string{"request_handlers", "network_processors"} {
			add(recordedStep, daily(0.4), "kafka_broker:saturation:ratio5m", "resource", resource, "broker", id)
		}
		add(glanceStep, daily(0.0003), "kafka_broker:request_phase_seconds:mean5m", "request", "Produce", "phase", "request_queue", "broker", id)
	}

	whole := []string{"profile", "default"}
	canary := slices.Concat([]string{"instance", "canary:9470", "job", "kafka-canary"}, whole)
	draw(brokers*probesPerMinute, 0.004, e2e+"_by_cluster:rate5m", whole...)
	for i, name := range phases {
		draw(brokers*probesPerMinute, medians[i], phase+"_by_cluster:rate5m", append([]string{"phase", name}, whole...)...)
	}
	for slo, share := range map[string]float64{"latency": 0.005, "availability": 0} {
		of := append([]string{"slo", slo}, whole...)
		add(recordedStep, constant(brokers), "kafka_canary:slo_probes:rate5m", of...)
		add(recordedStep, constant(300*brokers), "kafka_canary:slo_probes:increase5m", of...)
		add(recordedStep, missed(brokers*share), "kafka_canary:slo_bad_probes:rate5m", of...)
		add(recordedStep, missed(300*brokers*share), "kafka_canary:slo_bad_probes:increase5m", of...)
	}
	add(recentStep, constant(0.05), "kafka_canary_slo_target_seconds", canary...)
	add(recentStep, constant(0.99), "kafka_canary_slo_objective_ratio", canary...)
	add(glanceStep, constant(1), "kafka_canary_config_info", append([]string{"acks", "all", "compression", "none", "linger_ms", "0"}, canary...)...)
	for _, name := range []string{"EndToEndP99High", "SLOFastBurn"} {
		add(recentStep, constant(1), "ALERTS", append([]string{"alertname", name, "severity", "warning", "alertstate", "firing"}, whole...)...)
	}
	return all
}

// daily goes up by half towards noon and down by half towards midnight.
func daily(middle float64) func(int, time.Time) float64 {
	return func(i int, at time.Time) float64 {
		return around(middle)(i, at) * (1 - 0.5*math.Cos(2*math.Pi*float64(at.Unix())/day.Seconds()))
	}
}

// missed is eight times as much for the first twenty minutes of every day and a half.
func missed(usual float64) func(int, time.Time) float64 {
	return func(_ int, at time.Time) float64 {
		if at.Unix()%int64((36*time.Hour).Seconds()) < int64((20 * time.Minute).Seconds()) {
			return 8 * usual
		}
		return usual
	}
}
