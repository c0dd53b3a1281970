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

var (
	// What Prometheus makes itself.
	prometheusOwn = []string{"up", "ALERTS", "ALERTS_FOR_STATE"}
	// Names that are others' promises: Kafka's client metrics as Micrometer names them, and node_exporter's.
	families = []string{"kafka_producer_", "kafka_consumer_", "node_"}
)

// Found without a YAML or Markdown library: promtool checks the rules' syntax, and tests hold the reference to the product.
var (
	documented = regexp.MustCompile("(?m)^\\| `([a-z][a-z0-9_]+)` \\| ([a-z ]+) \\|")
	recorded   = regexp.MustCompile(`(?m)^\s*(?:-\s+)?record:\s*['"]?([a-zA-Z0-9_:]+)()`)
)

// parts of a metric that has several series, by its type as the reference has it.
var parts = map[string][]string{
	"histogram": {"", "_bucket", "_count", "_sum"},
	// Panels ask for either form, and find what is there.
	"native histogram": {"", "_count", "_sum"},
	"summary":          {"", "_count", "_sum"},
}

// Contract is every metric name that a dashboard may use.
type Contract struct {
	names map[string]bool
}

// ReadContract collects the names that docs/reference documents, of canary, brokers and clients, and the series that prometheus/rules records. It
// fails when a source cannot be read or names nothing.
func ReadContract(repository string) (Contract, error) {
	c := Contract{names: map[string]bool{}}
	for _, name := range prometheusOwn {
		c.names[name] = true
	}
	for _, source := range []struct {
		glob    string
		pattern *regexp.Regexp
	}{
		{"docs/reference/canary-metrics.md", documented},
		{"docs/reference/broker-metrics.md", documented},
		{"docs/reference/client-metrics.md", documented},
		{"prometheus/rules/*.yml", recorded},
		{"prometheus/rules/native/*.yml", recorded},
	} {
		if err := c.addFrom(filepath.Join(repository, source.glob), source.pattern); err != nil {
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

// addFrom adds what the pattern finds: a name, and its type where it has one.
func (c Contract) addFrom(glob string, pattern *regexp.Regexp) error {
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
		for _, match := range pattern.FindAllStringSubmatch(string(content), -1) {
			endings, several := parts[match[2]]
			if !several {
				endings = []string{""}
			}
			for _, ending := range endings {
				c.names[match[1]+ending] = true
			}
			found++
		}
	}
	if found == 0 {
		return fmt.Errorf("%s names no metric", glob)
	}
	return nil
}
