// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// The samples for large fleets in prometheus/ keep all that rules, dashboards and the capacity review read.

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/relabel"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// metricName is how a metric of a canary or a broker looks in a query.
var metricName = regexp.MustCompile(`\b(kafka|jvm|process)_[a-z0-9_]+\b`)

func fewerSeries(t *testing.T) map[string][]*relabel.Config {
	t.Helper()
	file, err := config.LoadFile("../prometheus/fewer-series.yml", false, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	jobs := map[string][]*relabel.Config{}
	for _, job := range file.ScrapeConfigs {
		jobs[job.JobName] = job.MetricRelabelConfigs
	}
	require.Equal(t, 2, len(jobs))
	return jobs
}

func TestFewerSeriesKeepsAllThatIsRead(t *testing.T) {
	read := map[string]bool{}
	for _, directory := range []string{"../prometheus/rules", "generated", "../report/src/main"} {
		err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, name := range metricName.FindAllString(string(text), -1) {
				read[name] = true
			}
			return err
		})
		require.NoError(t, err)
	}
	require.True(t, read["kafka_producer_request_latency_avg"] && read["kafka_request_phase_seconds"], "what rules and dashboards read")
	for job, configs := range fewerSeries(t) {
		for name := range read {
			before := labels.FromStrings("__name__", name, "cluster", "a")
			builder := labels.NewBuilder(before)
			keep := relabel.ProcessBuilder(builder, configs...)
			after := builder.Labels()
			assert.True(t, keep && labels.Equal(before, after), "%s: %s becomes %s, kept: %t", job, name, after, keep)
		}
	}
}

func TestFewerSeriesLeavesOutWhatNobodyReads(t *testing.T) {
	jobs := fewerSeries(t)
	for name, job := range map[string]string{
		"kafka_admin_client_request_rate":           "kafka-canary",
		"kafka_producer_node_request_rate":          "kafka-canary",
		"kafka_consumer_fetch_manager_records_lead": "kafka-canary",
		"jvm_memory_pool_used_bytes":                "kafka-broker",
		"kafka_requests_total":                      "kafka-broker",
		"kafka_canary_request_phase_seconds_bucket": "kafka-broker",
	} {
		assert.False(t, relabel.ProcessBuilder(labels.NewBuilder(labels.FromStrings("__name__", name)), jobs[job]...), "%s: %s is kept", job, name)
	}
}

func TestTheFleetsStoreGetsAllThatItsDashboardAndRulesRead(t *testing.T) {
	file, err := config.LoadFile("../prometheus/remote-write-fleet.yml", false, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, errs := rulefmt.ParseFile("../prometheus/fleet-rules.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	require.Empty(t, errs)
	sent := file.RemoteWriteConfigs[0].WriteRelabelConfigs
	name := regexp.MustCompile(`\b(kafka_(canary|broker|server)[a-z0-9_:]+|ALERTS)\b`)
	for _, reader := range []string{"generated/kafka-fleet.json", "../prometheus/fleet-rules.yml"} {
		text, err := os.ReadFile(reader)
		require.NoError(t, err)
		read := name.FindAllString(string(text), -1)
		require.GreaterOrEqual(t, len(read), 3, "%s reads %v only", reader, read)
		for _, one := range read {
			assert.True(t, relabel.ProcessBuilder(labels.NewBuilder(labels.FromStrings("__name__", one)), sent...), "%s reads %s, which is not sent", reader, one)
		}
	}
}
