// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
)

// stage is a canary and its brokers' exporters: as many series as the real ones have that the rules read, with values that move.
type stage struct {
	plan
	random  *rand.Rand
	age     float64
	latency []*latency
	series  []*series
}

// series is one of numbers.
type series struct {
	labels labels.Labels
	// value after so many seconds.
	value func(age float64) float64
	ref   storage.SeriesRef
}

// latency is a histogram, all of its series in the classic form.
type latency struct {
	name   string
	labels []string
	median float64
	counts map[int]int64
	// classic is not cumulative.
	classic []int64
	sum     float64
	count   uint64
	ref     storage.SeriesRef
	parts   []storage.SeriesRef
}

var phases = []string{"produce", "publish", "commit", "catch_up", "fetch"}

// Medians, in seconds. Around them the times are log-normal; how far they spread decides how many buckets a native histogram has.
var typical = map[string]float64{"produce": 0.0001, "publish": 0.0007, "commit": 0.0009, "catch_up": 0.00005, "fetch": 0.0008}

const (
	spread = 0.6
	// As the canary's histograms: 2^6 buckets for each doubling, and in the classic form ten a decade from 100 us to 60 s.
	canarySchema    = 6
	probesPerSecond = 20
)

var bounds = func() []float64 {
	var all []float64
	for i := range 58 {
		all = append(all, 1e-4*math.Pow(10, float64(i)/10))
	}
	return all
}()

// The kinds of request that the rules read.
var kindsRead = []string{"Produce", "FetchConsumer", "FetchFollower"}

func newStage(p plan) *stage {
	s := &stage{plan: p, random: rand.New(rand.NewPCG(1, 2))}
	for cluster := range p.clusters {
		s.cluster(clusterName(cluster))
	}
	return s
}

func clusterName(n int) string { return "prod-" + strconv.Itoa(n) }

func (s *stage) cluster(name string) {
	of := []string{"cluster", name, "profile", "default", "job", "kafka-canary", "instance", "canary:9470"}
	s.number("kafka_canary_slo_objective_ratio", constant(0.99), of...)
	s.number("kafka_canary_slo_target_seconds", constant(0.05), of...)
	for id := 1; id <= s.brokers; id++ {
		leader := slices.Concat(of, []string{"leader", strconv.Itoa(id)})
		for _, phase := range phases {
			s.histogram("kafka_canary_phase_latency_seconds", typical[phase], slices.Concat(leader, []string{"phase", phase}))
		}
		s.histogram("kafka_canary_end_to_end_latency_seconds", 0.003, leader)
		s.histogram("kafka_canary_producer_latency_seconds", 0.002, leader)
		s.number("kafka_canary_probes_scheduled_total", growing(probesPerSecond), leader...)
		s.number("kafka_canary_stalled_bad_probes_total", growing(0.001), leader...)
		s.number("kafka_canary_resurfaced_total", constant(0), leader...)
		for verdict, rate := range map[string]float64{"good": probesPerSecond, "bad": 0.01} {
			s.number("kafka_canary_slo_probes_total", growing(rate), slices.Concat(leader, []string{"verdict", verdict})...)
		}
		for outcome, rate := range map[string]float64{"delivered": probesPerSecond, "late": 0, "lost": 0, "send_failed": 0} {
			s.number("kafka_canary_probes_total", growing(rate), slices.Concat(leader, []string{"outcome", outcome})...)
		}
		s.broker(name, id)
	}
}

func constant(value float64) func(float64) float64 {
	return func(float64) float64 { return value }
}

func growing(perSecond float64) func(float64) float64 {
	return func(age float64) float64 { return math.Floor(perSecond * age) }
}

func (s *stage) number(name string, value func(float64) float64, pairs ...string) {
	s.series = append(s.series, &series{labels: labels.FromStrings(append([]string{"__name__", name}, pairs...)...), value: value})
}

func (s *stage) histogram(name string, median float64, pairs []string) {
	s.latency = append(s.latency, &latency{
		name: name, labels: pairs, median: median, counts: map[int]int64{},
		classic: make([]int64, len(bounds)+1), parts: make([]storage.SeriesRef, len(bounds)+3),
	})
}

func (s *stage) broker(cluster string, id int) {
	of := []string{"cluster", cluster, "broker", strconv.Itoa(id), "job", "kafka-broker", "instance", fmt.Sprintf("%s-kafka-%d:7071", cluster, id)}
	one := func(name string, value func(float64) float64, more ...string) {
		s.number(name, value, slices.Concat(of, more)...)
	}
	for kind := range s.kinds {
		request := "Kind" + strconv.Itoa(kind)
		if kind < len(kindsRead) {
			request = kindsRead[kind]
		}
		for _, phase := range []string{"requestqueue", "local", "remote", "throttle", "responsequeue", "responsesend", "total"} {
			one("kafka_network_requestmetrics_"+phase+"timems_count", growing(100), "request", request)
			one("kafka_network_requestmetrics_"+phase+"timems_mean",
				func(age float64) float64 { return 2 + s.random.Float64()/(1+age) }, "request", request)
		}
	}
	// The agent's, of the phase and the requests that rules read.
	for _, request := range kindsRead {
		s.histogram("kafka_request_phase_seconds", 0.0003, slices.Concat(of, []string{"request", request, "phase", "request_queue"}))
	}
	isController := 0.0
	if id == 1 {
		isController = 1
	}
	for name, value := range map[string]float64{
		"kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent": 0.9,
		"kafka_network_socketserver_networkprocessoravgidlepercent":                0.9,
		"kafka_network_requestchannel_requestqueuesize":                            0,
		"kafka_log_logflushstats_logflushrateandtimems_mean":                       3,
		"kafka_server_replicamanager_underreplicatedpartitions":                    0,
		"kafka_server_replicamanager_underminisrpartitioncount":                    0,
		"kafka_server_replicamanager_isrshrinks_total":                             0,
		"kafka_controller_kafkacontroller_activecontrollercount":                   isController,
		"kafka_controller_kafkacontroller_offlinepartitionscount":                  0,
		"kafka_controller_kafkacontroller_fencedbrokercount":                       0,
		"kafka_server_broker_metadata_metrics_last_applied_record_lag_ms":          0,
		"kafka_server_replicafetchermanager_maxlag":                                0,
	} {
		one(name, constant(value))
	}
	// A client that pushes to each broker.
	client := []string{"client_id", "client-" + strconv.Itoa(id)}
	one("kafka_client_producer_request_latency_seconds_count", growing(50), client...)
	one("kafka_client_producer_request_latency_seconds_sum", func(age float64) float64 { return 0.1 * age }, client...)
	one("up", constant(1))
	one("kafka_log_logflushstats_logflushrateandtimems_count", growing(1))
	one("kafka_exporter_request_timing_active", constant(1), "kafka_version", "4.4.0")
	one("jvm_gc_collection_seconds_sum", func(age float64) float64 { return 0.001 * age }, "gc", "G1 Young Generation")
	one("jvm_gc_collection_seconds_sum", constant(0), "gc", "G1 Old Generation")
}

// names of what is played.
func (s *stage) names() []string {
	var all []string
	for _, one := range s.series {
		all = append(all, one.labels.Get("__name__"))
	}
	for _, one := range s.latency {
		all = append(all, one.name, one.name+"_bucket", one.name+"_sum", one.name+"_count")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// count is how many series a scrape of everything has.
func (s *stage) count() int {
	if s.form == "classic" {
		return len(s.series) + len(s.latency)*(len(bounds)+3)
	}
	return len(s.series) + len(s.latency)
}

// goOn has the canary send its probes for so long.
func (s *stage) goOn(time time.Duration) {
	s.age += time.Seconds()
	for _, one := range s.latency {
		for range int(probesPerSecond * time.Seconds()) {
			one.observe(one.median * math.Exp(spread*s.random.NormFloat64()))
		}
	}
}

func (l *latency) observe(seconds float64) {
	l.sum += seconds
	l.count++
	l.counts[int(math.Ceil(math.Log2(seconds)*(1<<canarySchema)))]++
	at, _ := slices.BinarySearch(bounds, seconds)
	l.classic[at]++
}

// native is the histogram as Prometheus scrapes it.
func (l *latency) native(schema int) (*histogram.Histogram, error) {
	h := &histogram.Histogram{Schema: canarySchema, Count: l.count, Sum: l.sum}
	var indexes []int
	for index := range l.counts {
		indexes = append(indexes, index)
	}
	slices.Sort(indexes)
	next, last := 0, int64(0)
	for i, index := range indexes {
		if i == 0 || index != next {
			h.PositiveSpans = append(h.PositiveSpans, histogram.Span{Offset: int32(index - next)})
		}
		h.PositiveSpans[len(h.PositiveSpans)-1].Length++
		h.PositiveBuckets = append(h.PositiveBuckets, l.counts[index]-last)
		next, last = index+1, l.counts[index]
	}
	if schema < canarySchema {
		if err := h.ReduceResolution(int32(schema)); err != nil {
			return nil, err
		}
	}
	return h, h.Validate()
}

// buckets is how many a histogram has, on average: those of it that hold a probe, or all of its classic ones.
func (s *stage) buckets() int {
	sum := 0
	for _, one := range s.latency {
		if s.form == "classic" {
			sum += len(one.classic)
		} else if h, err := one.native(s.schema); err == nil {
			sum += len(h.PositiveBuckets)
		}
	}
	return sum / len(s.latency)
}

// scrape appends what everything says now.
func (s *stage) scrape(ctx context.Context, db storage.Appendable, at time.Time) (err error) {
	appender := db.Appender(ctx)
	now := at.UnixMilli()
	for _, one := range s.series {
		if one.ref, err = appender.Append(one.ref, one.labels, now, one.value(s.age)); err != nil {
			return fmt.Errorf("%s: %w", one.labels, err)
		}
	}
	for _, one := range s.latency {
		if s.form == "classic" {
			err = one.appendClassic(appender, now)
		} else {
			err = one.appendNative(appender, now, s.schema)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return appender.Commit()
}

func (l *latency) appendNative(appender storage.Appender, now int64, schema int) error {
	h, err := l.native(schema)
	if err != nil {
		return err
	}
	l.ref, err = appender.AppendHistogram(l.ref, l.all("", ""), now, h, nil)
	return err
}

func (l *latency) appendClassic(appender storage.Appender, now int64) (err error) {
	part := 0
	add := func(suffix, le string, value float64) {
		if err == nil {
			l.parts[part], err = appender.Append(l.parts[part], l.all(suffix, le), now, value)
			part++
		}
	}
	cumulative := int64(0)
	for i, count := range l.classic {
		cumulative += count
		le := "+Inf"
		if i < len(bounds) {
			le = strconv.FormatFloat(bounds[i], 'g', 6, 64)
		}
		add("_bucket", le, float64(cumulative))
	}
	add("_sum", "", l.sum)
	add("_count", "", float64(l.count))
	return err
}

func (l *latency) all(suffix, le string) labels.Labels {
	pairs := append([]string{"__name__", l.name + suffix}, l.labels...)
	if le != "" {
		pairs = append(pairs, "le", le)
	}
	return labels.FromStrings(pairs...)
}

// history is what the windows of days read, of each cluster: three days of the SLO's rates, every 15 s, 30 of their counts, every 4 min, and a day of the
// phases' calm means, every 3 min.
func (s *stage) history(ctx context.Context, db storage.Appendable, end time.Time) error {
	const day = 24 * time.Hour
	var often, steps, seldom, kept []*series
	for n := range s.clusters {
		cluster := clusterName(n)
		for _, slo := range []string{"latency", "availability"} {
			of := func(name string) *series {
				return &series{labels: labels.FromStrings("__name__", "kafka_canary:"+name, "cluster", cluster, "profile", "default", "slo", slo)}
			}
			often = append(often, of("slo_probes:rate5m"), of("slo_bad_probes:rate5m"))
			steps = append(steps, of("slo_probes:increase4m"), of("slo_bad_probes:increase4m"), of("slo_observed:ratio4m"))
		}
		for _, phase := range phases {
			pairs := []string{"cluster", cluster, "profile", "default", "phase", phase}
			recorded := func(of, what string, more ...string) *series {
				name := "kafka_canary:phase_latency_seconds_by_" + of + ":" + what
				return &series{labels: labels.FromStrings(slices.Concat(pairs, []string{"__name__", name}, more)...)}
			}
			seldom = append(seldom, recorded("cluster", "calm5m"))
			kept = append(kept, recorded("cluster", "learnt1d"))
			for id := 1; id <= s.brokers; id++ {
				leader := []string{"leader", strconv.Itoa(id)}
				seldom = append(seldom, recorded("leader", "calm5m", leader...))
				kept = append(kept, recorded("leader", "learnt1d", leader...))
			}
		}
	}
	appender := db.Appender(ctx)
	uncommitted := 0
	for at := end.Add(-30 * day); at.Before(end); at = at.Add(15 * time.Second) {
		var now []*series
		if !at.Before(end.Add(-3 * day)) {
			now = often
		}
		if at.After(end.Add(-3*day)) && at.Unix()%180 == 0 {
			now = slices.Concat(now, kept)
		}
		if at.After(end.Add(-day)) && at.Unix()%180 == 0 {
			now = slices.Concat(now, seldom)
		}
		if at.Unix()%240 == 0 {
			now = slices.Concat(now, steps)
		}
		for _, one := range now {
			ref, err := appender.Append(one.ref, one.labels, at.UnixMilli(), 0.001+0.0001*s.random.Float64())
			if err != nil {
				return fmt.Errorf("%s: %w", one.labels, err)
			}
			one.ref = ref
		}
		if uncommitted += len(now); uncommitted > 10_000 {
			if err := appender.Commit(); err != nil {
				return err
			}
			appender, uncommitted = db.Appender(ctx), 0
		}
	}
	return appender.Commit()
}
