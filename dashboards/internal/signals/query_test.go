// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phasewise.io/dashboards/internal/signal"
)

// ask evaluates a signal's query over series that are as loaded, for the cluster local and its profile default.
func ask(t *testing.T, query, series string, at time.Duration) promql.Vector {
	t.Helper()
	storage := promqltest.LoadedStorage(t, series)
	t.Cleanup(func() { storage.Close() })
	engine := promqltest.NewTestEngine(t, false, 5*time.Minute, promqltest.DefaultMaxSamplesPerQuery)
	filled := strings.NewReplacer("$cluster", "local", "$profile", "default", "$leader", ".*", "$__rate_interval", "1m").Replace(query)
	instant, err := engine.NewInstantQuery(context.Background(), storage, nil, filled, time.Unix(0, 0).Add(at))
	require.NoError(t, err)
	result := instant.Exec(context.Background())
	vector, err := result.Vector()
	require.NoError(t, err)
	return append(promql.Vector{}, vector...)
}

func one(t *testing.T, query, series string, at time.Duration) float64 {
	t.Helper()
	found := ask(t, query, series, at)
	require.Len(t, found, 1, "series")
	return found[0].F
}

const pool = `load 15s
	kafka_broker_config_info{cluster="local",broker="1",num_io_threads="8"} 1x20
	kafka_broker:request_phase_seconds:mean5m{cluster="local",broker="1",request="Produce",phase="local"} 0.001x20
	kafka_broker:request_phase_seconds:mean5m{cluster="local",broker="2",request="Produce",phase="local"} 0.001x20
	kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{cluster="local",broker="1"} 0.1x20
	kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{cluster="local",broker="2"} 0.5x20
`

// Of 90 % busy: 0.9^(sqrt(2*(c+1))-1) / (c*0.1) service times.
func TestTheModelHasAsManyServersAsThereAreHandlersOrProcessors(t *testing.T) {
	model := func(c float64) float64 {
		return 0.001 * math.Pow(0.9, math.Sqrt(2*(c+1))-1) / (c * 0.1)
	}
	processors := `	node_cpu_seconds_total{instance="host",mode="idle",cpu="0"} 0x20
	node_cpu_seconds_total{instance="host",mode="idle",cpu="1"} 0x20
`
	for _, example := range []struct {
		name, series string
		servers      float64
	}{{"eight handlers", pool, 8}, {"eight handlers on two processors", pool + processors, 2}} {
		assert.InEpsilon(t, model(example.servers), one(t, Sakasegawa.Query, example.series, time.Minute), 1e-9, example.name)
	}
}

// The panel is stacked: its height is the time until the response is written, whatever a quota tells the client to wait after that.
func TestTheStackedPhasesOfARequestAddUpToItsTotal(t *testing.T) {
	const series = `load 15s
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="request_queue"} 0.001x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="local"} 0.002x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="remote"} 0.004x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="throttle"} 1x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="response_queue"} 0.008x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="response_send"} 0.016x20
	kafka_broker:request_phase_seconds:mean1m{cluster="local",broker="1",request="Produce",phase="total"} 0.031x20
`
	height := func(request, series string) float64 {
		sum := 0.0
		for _, part := range ask(t, RequestSplit(request).Query, series, time.Minute) {
			sum += part.F
		}
		return sum
	}
	assert.InEpsilon(t, 0.031, height("Produce", series), 1e-9)
	for _, fetch := range []string{"FetchConsumer", "FetchFollower"} {
		assert.InEpsilon(t, 0.027, height(fetch, strings.ReplaceAll(series, "Produce", fetch)), 1e-9, "without the long poll of "+fetch)
	}
}

func TestALeaderFromWhichNothingComesBackIsNotMeasured(t *testing.T) {
	const series = `load 15s
	kafka_canary_probes_total{cluster="local",profile="default",leader="1",outcome="delivered"} 0+300x40
	kafka_canary_probes_total{cluster="local",profile="default",leader="2",outcome="delivered"} 0x40
	kafka_canary_probes_total{cluster="local",profile="default",leader="2",outcome="lost"} 0+300x40
	kafka_canary_probes_total{cluster="local",profile="default",leader="3",outcome="late"} 0+300x40
`
	assert.Equal(t, 2.0, one(t, FleetBrokers.Query, series, 10*time.Minute))
}

// What lasts must not become what is usual.
func TestWithoutABaselineOnlyTheFirstHourHasAUsual(t *testing.T) {
	const (
		recorded = `kafka_canary:phase_latency_seconds_by_leader:mean5m{cluster="local",profile="default",leader="1",phase="commit"} `
		long     = "load 1m\n" + recorded + "0.002x119 0.5x200\n"
		learnt   = long + `kafka_canary:phase_latency_seconds_by_leader:baseline1d{cluster="local",profile="default",leader="1",phase="commit"} 0.002x400`
	)
	query := usual(phases+"_by_leader", ofLeader)
	assert.Equal(t, 0.002, one(t, query, long, 20*time.Minute), "usual")
	assert.Empty(t, ask(t, query, long, 4*time.Hour), "two hours of a fault are not usual")
	assert.Equal(t, 0.002, one(t, query, learnt, 4*time.Hour), "usual")
}

func TestTheSharesOfSlowProbesTimeAddUp(t *testing.T) {
	const series = `load 15s
	kafka_canary_slow_probes_phase_seconds_total{cluster="local",profile="default",leader="1",phase="commit"} 0+3x20
	kafka_canary_slow_probes_phase_seconds_total{cluster="local",profile="default",leader="2",phase="commit"} 0x20
	kafka_canary_slow_probes_phase_seconds_total{cluster="local",profile="default",leader="2",phase="fetch"} 0+1x20
`
	got := map[string]float64{}
	for _, sample := range ask(t, SlowTime.Query, series, 4*time.Minute) {
		got[sample.Metric.Get("phase")] = sample.F
	}
	assert.InDelta(t, 0.75, got["commit"], 1e-9)
	assert.InDelta(t, 0.25, got["fetch"], 1e-9)
	const calm = `load 15s
	kafka_canary_slow_probes_phase_seconds_total{cluster="local",profile="default",leader="1",phase="commit"} 7x20
`
	assert.Empty(t, ask(t, SlowTime.Query, calm, 4*time.Minute), "no probe is slow")
}

func TestTheSuspectIsSaidInTheCanarysWords(t *testing.T) {
	const means = `	kafka_canary:phase_latency_seconds_by_leader:mean1m{cluster="local",profile="default",leader="1",phase="commit"} 0.4301x20
`
	const series = "load 15s\n" + `	kafka_suspect{cluster="local",broker="3",role="disk",phase="publish",who="Broker 3, its disk"} 0.25x20
	kafka_suspect{cluster="local",broker="3",role="disk",phase="commit",who="Broker 3, its disk"} 0.5x20
	kafka_suspect{cluster="local",role="network",phase="fetch",who="The canary's own network path"} 0.125x20
	kafka_suspect{cluster="local",broker="1",role="handlers",phase="fetch",who="Broker 1, its request handlers"} 0.2x20
	kafka_suspect{cluster="local",broker="2",role="process",phase="fetch",who="Broker 2, its process, paused or gone"} 0.1x20
	kafka_suspect{cluster="other",broker="9",role="disk",phase="publish",who="Broker 9, its disk"} 7x20
` + means
	assert.Equal(t, "{{who}}", SuspectNow.Legend)
	said := map[string]float64{}
	for _, suspect := range ask(t, SuspectNow.Query, series, time.Minute) {
		said[suspect.Metric.Get("who")] = suspect.F
	}
	assert.Equal(t, map[string]float64{"Broker 3, its disk": 0.75, "The canary's own network path": 0.125, "Broker 1, its request handlers": 0.2}, said)
	const judged = `	kafka_canary_suspects_judged{cluster="local",job="kafka-canary"} 1x20
`
	const answered = `	kafka_canary_agent_reachable{cluster="local",job="kafka-canary",broker="1"} 0x20
	kafka_canary_agent_reachable{cluster="local",job="kafka-canary",broker="2"} 1x20
`
	now := func(series string) float64 { return one(t, SuspectNow.Query, "load 15s\n"+series, time.Minute) }
	assert.Zero(t, now(means+judged+answered), "nobody is a value, which the tile says in a word")
	assert.Equal(t, -1.0, now(means+answered), "a canary that does not say whether it judges")
	assert.Equal(t, -1.0, now(means+strings.ReplaceAll(judged, "1x20", "0x20")+answered), "it judges no probe")
	assert.Equal(t, -1.0, now(means+judged), "no agent is asked")
	assert.Equal(t, -1.0, now(means+judged+strings.ReplaceAll(answered, "1x20", "0x20")), "no agent answers")
	twice := strings.ReplaceAll(series, "cluster=", `prometheus="b",cluster=`)
	for _, suspect := range ask(t, SuspectNow.Query, series+twice[len("load 15s\n"):], time.Minute) {
		assert.Equal(t, said[suspect.Metric.Get("who")], suspect.F, "recorded by two servers")
	}
	assert.Empty(t, ask(t, SuspectNow.Query, "load 15s\n"+strings.ReplaceAll(means, "local", "other"), time.Minute), "nothing is measured")
}

func TestASuspectHasTheNextStepOfItsRole(t *testing.T) {
	const series = `load 15s
	kafka_suspect{cluster="local",broker="3",role="disk",phase="publish",who="Broker 3, its disk"} 0.25x20
	kafka_suspect{cluster="local",broker="3",role="disk",phase="commit",who="Broker 3, its disk"} 0.5x20
	kafka_suspect{cluster="local",broker="2",role="handlers",phase="commit",who="Broker 2, its request handlers"} 0.125x20
	phasewise:suspect_roles{role="disk",next="Look at the disk."} 1x20
	phasewise:suspect_roles{role="handlers",next="See what keeps them busy."} 1x20
	phasewise:suspect_roles{role="process",next="Find what pauses it."} 1x20
`
	steps := map[string]float64{}
	for _, suspect := range ask(t, NextStep.Query, series, time.Minute) {
		steps[suspect.Metric.Get("who")+": "+suspect.Metric.Get("next")] = suspect.F
	}
	assert.Equal(t, map[string]float64{"Broker 3, its disk: Look at the disk.": 0.75, "Broker 2, its request handlers: See what keeps them busy.": 0.125}, steps)
	const older = `	phasewise:suspect_roles{role="disk",next="Look.",prometheus="b"} 1x20
`
	assert.Len(t, ask(t, NextStep.Query, series+older, time.Minute), 2, "rules of two versions in one store: one step for each")
}

// The panel is stacked: its height is the phase.
func TestWhoseTimeAPhaseWasAddsUpToThePhase(t *testing.T) {
	const load = "load 15s\n"
	series := `	kafka_canary_end_to_end_latency_seconds_count{cluster="local",profile="default",job="kafka-canary",leader="1"} 0+150x40
`
	wait := func(broker, role, phase string, seconds float64) {
		series += fmt.Sprintf("\tkafka_canary_wait_seconds_total{cluster=\"local\",profile=\"default\",job=\"kafka-canary\",leader=\"1\",broker=%q,role=%q,phase=%q} 0+%gx40\n",
			broker, role, phase, seconds*150)
	}
	for broker := 1; broker <= 4; broker++ {
		wait(strconv.Itoa(broker), "disk", "commit", 0.016*float64(broker))
		wait(strconv.Itoa(broker), "handlers", "commit", 0.001*float64(broker))
	}
	wait("none", "client", "commit", 0.004)
	wait("none", "unknown", "commit", 0.008)
	wait("2", "unknown", "commit", 0.032)
	wait("none", "client", "produce", 0.5)
	heights := func(parts []signal.Signal) map[string]float64 {
		got := map[string]float64{}
		for _, part := range parts {
			query := strings.NewReplacer("$__range", "5m").Replace(part.Query)
			for _, sample := range ask(t, query, load+series, 5*time.Minute) {
				got[part.Name+" "+sample.Metric.Get("broker")+" "+sample.Metric.Get("role")] = math.Round(1e6*sample.F) / 1e6
			}
		}
		return got
	}
	assert.Equal(t, map[string]float64{
		"brokers 1 disk": 0.016, "brokers 2 disk": 0.032, "brokers 3 disk": 0.048, "brokers 4 disk": 0.064, "brokers 4 handlers": 0.004, "brokers 3 handlers": 0.003,
		"other brokers  ": 0.003, "no broker  client": 0.004, "unknown  ": 0.04,
	}, heights(WhosePhase("commit")))
	sum := 0.0
	for _, height := range heights(WhoseTime()) {
		sum += height
	}
	assert.InDelta(t, 0.714, sum, 1e-6, "all phases: 0.16 disk, 0.01 handlers, 0.004 and 0.5 client, 0.04 unknown")
}

func TestEveryCanaryHasARowOfPathsByItsSiteOrItsAddress(t *testing.T) {
	const series = `load 15s
	kafka_canary_pings_total{cluster="local",profile="default",instance="a:9470",site="fra",broker="1"} 0+100x20
	kafka_canary_ping_seconds_total{cluster="local",profile="default",instance="a:9470",site="fra",broker="1"} 0+0.1x20
	kafka_canary_pings_total{cluster="local",profile="default",instance="a:9470",site="fra",broker="2"} 0+100x20
	kafka_canary_ping_seconds_total{cluster="local",profile="default",instance="a:9470",site="fra",broker="2"} 0+30x20
	kafka_canary_pings_total{cluster="local",profile="default",instance="b:9470",broker="1"} 0+100x20
	kafka_canary_ping_seconds_total{cluster="local",profile="default",instance="b:9470",broker="1"} 0+0.2x20
	kafka_canary_pings_total{cluster="local",profile="default",instance="b:9470",broker="2"} 0+100x20
	kafka_canary_ping_seconds_total{cluster="local",profile="default",instance="b:9470",broker="2"} 0+0.3x20
`
	got := map[string]float64{}
	for _, path := range ask(t, Paths.Query, series, time.Minute) {
		got[path.Metric.Get("canary")+" to "+path.Metric.Get("broker")] = math.Round(1e6*path.F) / 1e6
	}
	want := map[string]float64{"fra to 1": 0.001, "fra to 2": 0.3, "b:9470 to 1": 0.002, "b:9470 to 2": 0.003}
	assert.Equal(t, want, got)
}

func TestSuspectsAreOfTheClusterWhateverTheProfile(t *testing.T) {
	const series = `load 15s
	kafka_suspect{cluster="local",broker="3",role="follower",phase="commit",who="Broker 3, as a follower"} 0.4x20
`
	query := strings.NewReplacer("$__range", "1m", "$__interval", "15s").Replace(Suspects.Query)
	found := ask(t, query, series, time.Minute)
	require.Len(t, found, 1)
	assert.Equal(t, 0.4, found[0].F)
	assert.Equal(t, "Broker 3, as a follower", found[0].Metric.Get("who"))
}
