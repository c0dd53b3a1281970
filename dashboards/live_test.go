// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"phasewise.io/dashboards/internal/pages"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

// PHASEWISE_PROMETHEUS_URL names the Prometheus of a running stack; without it these tests are skipped. The acceptance tests set it.
const prometheusVariable = "PHASEWISE_PROMETHEUS_URL"

// How long recorded series and windows may take to fill after a start.
const patience = 150 * time.Second

type live struct {
	base   string
	client http.Client
}

func liveOrSkip(t *testing.T) live {
	t.Helper()
	base := os.Getenv(prometheusVariable)
	if base == "" {
		t.Skip(prometheusVariable + " is not set")
	}
	return live{strings.TrimSuffix(base, "/"), http.Client{Timeout: 20 * time.Second}}
}

// sample is a value, or a whole histogram, of which only the number of observations is looked at.
type sample struct {
	labels    map[string]string
	value     float64
	histogram bool
}

// ask evaluates a query now. It fails on what Prometheus refuses.
func (l live) ask(query string) ([]sample, error) { return l.askAt(time.Now(), query) }

func (l live) askAt(when time.Time, query string) ([]sample, error) {
	at := strconv.FormatFloat(float64(when.UnixMilli())/1000, 'f', 3, 64)
	var data struct {
		ResultType string
		Result     json.RawMessage
	}
	if err := l.get("query", url.Values{"query": {query}, "time": {at}}, &data); err != nil {
		return nil, err
	}
	if data.ResultType != "vector" {
		return nil, fmt.Errorf("the result is a %s, not a vector", data.ResultType)
	}
	var vector []struct {
		Metric    map[string]string
		Value     [2]json.RawMessage
		Histogram [2]json.RawMessage
	}
	if err := json.Unmarshal(data.Result, &vector); err != nil {
		return nil, err
	}
	var all []sample
	for _, v := range vector {
		s := sample{labels: v.Metric, histogram: v.Value[1] == nil}
		if !s.histogram {
			var err error
			if s.value, err = strconv.ParseFloat(strings.Trim(string(v.Value[1]), `"`), 64); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// get decodes what Prometheus answers to a call of its API; it fails on what Prometheus refuses.
func (l live) get(call string, parameters url.Values, data any) error {
	response, err := l.client.PostForm(l.base+"/api/v1/"+call, parameters)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer := struct {
		Error string
		Data  any
	}{Data: data}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return nil
}

// exemplars gives the labels of those of the last five minutes that belong to what a query selects, as Grafana asks for them.
func (l live) exemplars(query string) ([]map[string]string, error) {
	now := time.Now()
	var data []struct {
		Exemplars []struct{ Labels map[string]string }
	}
	err := l.get("query_exemplars", url.Values{
		"query": {query}, "start": {now.Add(-5 * time.Minute).Format(time.RFC3339)}, "end": {now.Format(time.RFC3339)},
	}, &data)
	var all []map[string]string
	for _, series := range data {
		for _, exemplar := range series.Exemplars {
			all = append(all, exemplar.Labels)
		}
	}
	return all, err
}

// fill gives the dashboard's variables the values that they have at first.
func (l live) fill(query string) string {
	return strings.NewReplacer(
		"$cluster", "local", "$profile", "default", "$leader", ".*", "$site", ".*", "$percentile", "0.99",
		"$__rate_interval", "30s", "$__interval", "15s", "$__range", "5m",
	).Replace(query)
}

// check says what is wrong with what a panel would show.
func (l live) check(s signal.Signal) error {
	samples, err := l.ask(l.fill(s.Query))
	if err != nil {
		return err
	}
	for _, sample := range samples {
		if sample.histogram {
			continue
		}
		if math.IsNaN(sample.value) {
			return fmt.Errorf("NaN for %v", sample.labels)
		}
		if within := s.Range(); sample.value < within.Low || sample.value > within.High {
			return fmt.Errorf("%g for %v is not within [%g, %g]", sample.value, sample.labels, within.Low, within.High)
		}
	}
	if len(samples) == 0 && s.MayBeEmpty == "" {
		return errors.New("no result")
	}
	return nil
}

// within waits until a check passes, at most until the deadline.
func within(deadline time.Time, check func() error) error {
	for {
		err := check()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(time.Second)
	}
}

func TestLiveEveryQueryOfEveryPanelGivesSomethingBelievable(t *testing.T) {
	prometheus := liveOrSkip(t)
	byQuery := map[string]signal.Signal{}
	for _, d := range pages.All() {
		for _, s := range d.Signals() {
			byQuery[s.Query] = s
		}
	}
	deadline := time.Now().Add(patience)
	eachQuery(t, func(t *testing.T, query string) {
		s, known := byQuery[query]
		require.True(t, known, "no signal has this query: %s", query)
		assert.NoError(t, within(deadline, func() error { return prometheus.check(s) }), s.Query)
	})
	for file, d := range pages.All() {
		for _, e := range d.Events {
			_, err := prometheus.ask(prometheus.fill(e.Query))
			assert.NoError(t, err, "%s, event %s", file, e.Name)
		}
	}
}

// Each of the two may be empty, so both together are looked at here.
func TestLiveTheHeatmapHasOneForm(t *testing.T) {
	prometheus := liveOrSkip(t)
	err := within(time.Now().Add(patience), func() error {
		forms := 0
		for _, s := range []signal.Signal{signals.Heatmap, signals.HeatmapBuckets} {
			found, err := prometheus.ask(prometheus.fill(s.Query))
			if err != nil {
				return err
			}
			if len(found) > 0 {
				forms++
			}
		}
		if forms != 1 {
			return fmt.Errorf("%d forms of the histogram give something, not 1", forms)
		}
		return nil
	})
	assert.NoError(t, err)
}

// Each has at least the few probes that are drawn to compare slow ones with. Not of a phase: of native histograms this Prometheus keeps
// the exemplars of a family's first series only, so that there are some of one leader and one phase.
func TestLiveGraphsFindSingleProbes(t *testing.T) {
	prometheus := liveOrSkip(t)
	for _, s := range []signal.Signal{signals.AllPoints(), signals.EndToEndPoints(), signals.EndToEndBySite} {
		err := within(time.Now().Add(patience), func() error {
			found, err := prometheus.exemplars(prometheus.fill(s.Query))
			if err != nil {
				return err
			}
			for _, labels := range found {
				if labels["probe_id"] == "" {
					return fmt.Errorf("an exemplar without probe_id: %v", labels)
				}
			}
			if len(found) == 0 {
				return errors.New("no exemplar")
			}
			return nil
		})
		assert.NoError(t, err, s.Query)
	}
}

func TestLivePhasesAddUpToEndToEnd(t *testing.T) {
	prometheus := liveOrSkip(t)
	// From native histograms; or, where there are none, from the classic ones' sum and count.
	const endToEnd = `histogram_sum(kafka_canary:end_to_end_latency_seconds_by_cluster:rate1m{cluster="local",profile="default"})
/ histogram_count(kafka_canary:end_to_end_latency_seconds_by_cluster:rate1m{cluster="local",profile="default"})
or
sum by (cluster, profile) (rate(kafka_canary_end_to_end_latency_seconds_sum{cluster="local",profile="default"}[1m]))
/ sum by (cluster, profile) (rate(kafka_canary_end_to_end_latency_seconds_count{cluster="local",profile="default"}[1m]))`
	err := within(time.Now().Add(patience), func() error {
		// The same moment for all, and long enough ago for all that is recorded then to be there.
		when := time.Now().Add(-10 * time.Second)
		var sum float64
		for _, s := range signals.MeansByPhase() {
			mean, err := prometheus.askAt(when, prometheus.fill(s.Query))
			if err != nil {
				return err
			}
			if len(mean) == 0 && s.MayBeEmpty != "" {
				continue
			}
			if len(mean) != 1 {
				return fmt.Errorf("%s has %d means", s.Name, len(mean))
			}
			sum += mean[0].value
		}
		whole, err := prometheus.askAt(when, endToEnd)
		if err != nil {
			return err
		}
		if len(whole) != 1 {
			return fmt.Errorf("end to end has %d means", len(whole))
		}
		if off := math.Abs(sum/whole[0].value - 1); !(off < 0.01) {
			return fmt.Errorf("the phases add up to %g s, end to end is %g s: %.2f %% off", sum, whole[0].value, off*100)
		}
		return nil
	})
	assert.NoError(t, err)
}
