// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
)

const (
	brokers = 100
	// Probes in the minute that a recorded rate looks back on, by way of each leader: one a second.
	probesPerMinute = 60
	// The canary's: buckets 1.09 % wide.
	schema = 6
	// How many different minutes are drawn for each histogram.
	minutes = 64
)

// series is one line of numbers or of histograms.
type series struct {
	labels labels.Labels
	// How often it has a sample; never more often than the block's step.
	every time.Duration
	// value of the i-th series at a time; nil where histograms are set, of which each sample is one.
	value      func(i int, at time.Time) float64
	histograms []*histogram.FloatHistogram
}

// cluster is every series that the latency overview reads, of 100 brokers and one profile.
func cluster() []series {
	random := rand.New(rand.NewPCG(1, 2))
	var all []series
	add := func(every time.Duration, value func(int, time.Time) float64, name string, pairs ...string) {
		all = append(all, series{labels: named(name, pairs), every: every, value: value})
	}
	draw := func(probes int, median float64, name string, pairs ...string) {
		one := series{labels: named(name, pairs), every: recentStep}
		for range minutes {
			one.histograms = append(one.histograms, minute(random, probes, median))
		}
		all = append(all, one)
	}
	const e2e, phase = "kafka_canary:end_to_end_latency_seconds", "kafka_canary:phase_latency_seconds"
	phases := map[string]float64{"produce": 0.0003, "publish": 0.0015, "commit": 0.002, "catch_up": 0.00005, "fetch": 0.0007}
	quantiles := map[string]float64{"0.5": 0.004, "0.9": 0.008, "0.99": 0.02, "0.999": 0.05}

	for broker := 1; broker <= brokers; broker++ {
		id := strconv.Itoa(broker)
		leader := []string{"profile", "default", "leader", id}
		instance := []string{"broker", id, "instance", "broker-" + id + ":7071", "job", "kafka-broker"}
		canary := append([]string{"instance", "canary:9470", "job", "kafka-canary"}, leader...)

		draw(probesPerMinute, 0.004, e2e+"_by_leader:rate1m", leader...)
		for quantile, seconds := range quantiles {
			add(recentStep, around(seconds), e2e+"_by_leader:quantile1m", append([]string{"quantile", quantile}, leader...)...)
		}
		for name, seconds := range phases {
			of := append([]string{"phase", name}, leader...)
			draw(probesPerMinute, seconds, phase+"_by_leader:rate1m", of...)
			add(recentStep, around(seconds), phase+"_by_leader:mean1m", of...)
			add(15*time.Second, around(seconds), phase+"_by_leader:mean5m", of...)
			add(3*time.Minute, around(seconds), phase+"_by_leader:baseline1d", of...)
		}
		add(recentStep, counter(0.99), "kafka_canary_slo_probes_total", append([]string{"verdict", "good"}, canary...)...)
		add(recentStep, counter(0.01), "kafka_canary_slo_probes_total", append([]string{"verdict", "bad"}, canary...)...)
		add(recentStep, constant(1), "kafka_canary_partition_leader_info", append([]string{"partition", id, "preferred", "true"}, canary...)...)

		add(recentStep, constant(1), "up", instance...)
		add(recentStep, constant(1.7e9), "process_start_time_seconds", instance...)
		add(recentStep, constant(0), "kafka_server_replicamanager_underreplicatedpartitions", instance...)
		add(recentStep, around(20), "kafka_server_replicafetchermanager_maxlag", instance...)
		add(recentStep, around(0.8), "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent", instance...)
		add(recentStep, around(0.8), "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent", instance...)
	}

	whole := []string{"profile", "default"}
	canary := append([]string{"instance", "canary:9470", "job", "kafka-canary"}, whole...)
	for quantile, seconds := range quantiles {
		add(recentStep, around(seconds), e2e+"_by_cluster:quantile1m", append([]string{"quantile", quantile}, whole...)...)
	}
	draw(brokers*probesPerMinute, 0.004, e2e+"_by_cluster:rate1m", whole...)
	for name, seconds := range phases {
		of := append([]string{"phase", name}, whole...)
		draw(brokers*probesPerMinute, seconds, phase+"_by_cluster:rate1m", of...)
		add(recentStep, around(seconds), phase+"_by_cluster:mean1m", of...)
		add(15*time.Second, around(seconds), phase+"_by_cluster:mean5m", of...)
		add(3*time.Minute, around(seconds), phase+"_by_cluster:baseline1d", of...)
	}
	latency := append([]string{"slo", "latency"}, whole...)
	add(15*time.Second, around(0.5), "kafka_canary:slo_budget_remaining:ratio30d", latency...)
	add(15*time.Second, around(1), "kafka_canary:slo_burn_rate:ratio5m", latency...)
	add(15*time.Second, around(1), "kafka_canary:slo_burn_rate:ratio1h", latency...)
	add(recentStep, constant(0.05), "kafka_canary_slo_target_seconds", canary...)
	add(recentStep, constant(0.99), "kafka_canary_slo_objective_ratio", canary...)
	add(recentStep, constant(1), "kafka_canary_config_info", append([]string{"acks", "all", "compression", "none", "linger_ms", "0"}, canary...)...)
	for client := range 10 {
		add(recentStep, around(3), "kafka_consumer_fetch_manager_records_lag_max", append([]string{"client_id", "consumer-" + strconv.Itoa(client)}, canary...)...)
	}
	for _, name := range []string{"EndToEndP99High", "PhaseRegression", "SLOFastBurn"} {
		alert := []string{"alertname", name, "severity", "warning", "profile", "default"}
		add(recentStep, constant(1.7e9), "ALERTS_FOR_STATE", alert...)
		add(recentStep, constant(1), "ALERTS", append([]string{"alertstate", "firing"}, alert...)...)
	}
	return all
}

func named(name string, pairs []string) labels.Labels {
	return labels.FromStrings(slices.Concat([]string{labels.MetricName, name, "cluster", "local"}, pairs)...)
}

func constant(value float64) func(int, time.Time) float64 {
	return func(int, time.Time) float64 { return value }
}

// around goes up and down by a tenth.
func around(middle float64) func(int, time.Time) float64 {
	return func(i int, at time.Time) float64 { return middle * (0.9 + 0.0002*float64(pick(i, at, 1000))) }
}

// counter grows by so much each second.
func counter(perSecond float64) func(int, time.Time) float64 {
	return func(_ int, at time.Time) float64 { return math.Floor(perSecond * float64(at.Unix()%1e8)) }
}

// minute is the rate of a histogram over a minute of probes: log-normal, one in fifty of them ten times as long.
func minute(random *rand.Rand, probes int, median float64) *histogram.FloatHistogram {
	counts := map[int32]float64{}
	h := &histogram.FloatHistogram{Schema: schema, ZeroThreshold: 1e-9, Count: float64(probes) / 60}
	for range probes {
		seconds := median * math.Exp(0.4*random.NormFloat64())
		if random.IntN(50) == 0 {
			seconds *= 10
		}
		h.Sum += seconds / 60
		counts[int32(math.Ceil(math.Log2(seconds)*(1<<schema)))] += 1.0 / 60
	}
	indices := make([]int32, 0, len(counts))
	for index := range counts {
		indices = append(indices, index)
	}
	slices.Sort(indices)
	next := int32(0)
	for i, index := range indices {
		if i == 0 || index != next {
			h.PositiveSpans = append(h.PositiveSpans, histogram.Span{Offset: index - next})
		}
		h.PositiveSpans[len(h.PositiveSpans)-1].Length++
		h.PositiveBuckets = append(h.PositiveBuckets, counts[index])
		next = index + 1
	}
	return h
}
