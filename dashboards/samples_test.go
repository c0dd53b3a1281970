// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// The samples for large fleets in prometheus/ keep all that rules, dashboards and the capacity review read.

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/relabel"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// metricName is how a metric of a canary or a broker looks in a query.
var metricName = regexp.MustCompile(`\b(kafka|jvm|process)_[a-z0-9_]+\b`)

// sampleConfig is what is read of a sample: that it is a configuration of Prometheus is promtool's to say.
type sampleConfig struct {
	Scrapes []struct {
		Job    string            `yaml:"job_name"`
		Metric []*relabel.Config `yaml:"metric_relabel_configs"`
	} `yaml:"scrape_configs"`
	Writes []struct {
		Write []*relabel.Config `yaml:"write_relabel_configs"`
	} `yaml:"remote_write"`
}

func loadSample(t *testing.T, name string) sampleConfig {
	t.Helper()
	text, err := os.ReadFile("../prometheus/" + name)
	require.NoError(t, err)
	var found sampleConfig
	require.NoError(t, yaml.Unmarshal(text, &found))
	return found
}

// usable are relabelings that Prometheus can apply: it does so unchecked.
func usable(t *testing.T, all []*relabel.Config) []*relabel.Config {
	t.Helper()
	require.NotEmpty(t, all)
	for _, each := range all {
		require.NoError(t, each.Validate(model.UTF8Validation))
	}
	return all
}

func fewerSeries(t *testing.T) map[string][]*relabel.Config {
	t.Helper()
	jobs := map[string][]*relabel.Config{}
	for _, job := range loadSample(t, "fewer-series.yml").Scrapes {
		jobs[job.Job] = usable(t, job.Metric)
	}
	require.Equal(t, 2, len(jobs))
	return jobs
}

func TestFewerSeriesKeepsAllThatIsRead(t *testing.T) {
	read := map[string]bool{}
	for _, directory := range []string{"../prometheus/rules", "generated", "../tools/src/main"} {
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
			assert.True(t, keep && labels.Equal(before, after),
				"prometheus/fewer-series.yml, job %s, drops or changes %s, which a rule, a dashboard or the tools read: keep it there", job, name)
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
	sent := usable(t, loadSample(t, "remote-write-fleet.yml").Writes[0].Write)
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
