// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// Every panel shows the same when what it reads is there more than once: scraped by another job, or by the stock JMX exporter too, or sent by two
// Prometheus servers. promtool evaluates all queries over the same made-up data, with and without that.

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"phasewise.io/dashboards/internal/lint"
)

// promtool is that of the local stack, or installed.
func promtool(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		require.NoError(t, err)
		cache = filepath.Join(home, ".cache")
	}
	built, err := filepath.Glob(filepath.Join(cache, "phasewise/servers/prometheus-*/promtool"))
	require.NoError(t, err)
	if len(built) > 0 {
		return built[len(built)-1]
	}
	installed, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed, and ./phasewise up has not built it")
	}
	return installed
}

type input struct {
	Series string `yaml:"series"`
	Values string `yaml:"values"`
}

// schema is what labels each metric has, by the reference, and which values queries ask for.
type schema struct {
	labels map[string][]string
	kinds  map[string]string
	asked  map[string]map[string]bool
}

var (
	row      = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|")
	recorded = regexp.MustCompile("(?m)^\\| (`[^|]*:[^|]+`|`kafka_suspect`) \\| [^|]* \\| ([^|]*) \\|")
	code     = regexp.MustCompile("`([^`]+)`")
	plain    = regexp.MustCompile(`^[\w|()-]*$`)
)

func words(list string) []string {
	var all []string
	for _, each := range strings.Split(strings.ReplaceAll(list, "`", ""), ",") {
		if each = strings.TrimSpace(each); each != "" && !strings.Contains(each, ".") {
			all = append(all, each)
		}
	}
	return all
}

func readSchema(t *testing.T) schema {
	t.Helper()
	s := schema{labels: map[string][]string{}, kinds: map[string]string{}, asked: map[string]map[string]bool{}}
	for _, page := range []string{"canary-metrics", "broker-metrics", "client-metrics"} {
		text, err := os.ReadFile("../docs/reference/" + page + ".md")
		require.NoError(t, err)
		for _, match := range row.FindAllStringSubmatch(string(text), -1) {
			for _, name := range code.FindAllStringSubmatch(match[1], -1) {
				own := words(match[4])
				switch page {
				case "broker-metrics":
					own = append(own, "cluster", "broker")
				case "client-metrics":
					own = append(own, "cluster", "broker", "client_id")
				}
				for _, part := range []string{"", "_bucket", "_sum", "_count"} {
					s.labels[name[1]+part] = own
				}
				s.kinds[name[1]] = strings.TrimSpace(match[2])
			}
		}
	}
	s.labels["ALERTS"] = []string{"alertname", "cluster"}
	s.labels["ALERTS_FOR_STATE"] = s.labels["ALERTS"]
	text, err := os.ReadFile("../docs/reference/recorded-series.md")
	require.NoError(t, err)
	for _, match := range recorded.FindAllStringSubmatch(string(text), -1) {
		for _, name := range code.FindAllStringSubmatch(match[1], -1) {
			s.labels[name[1]] = append(words(match[2]), "cluster")
		}
	}
	return s
}

// learn notes what a query asks of each metric.
func (s schema) learn(t *testing.T, query string) {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	require.NoError(t, err, query)
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		selector, is := node.(*parser.VectorSelector)
		if !is {
			return nil
		}
		name := lint.MetricName(selector)
		if s.asked[name] == nil {
			s.asked[name] = map[string]bool{}
		}
		for _, m := range selector.LabelMatchers {
			if m.Name == labels.MetricName || m.Name == "job" || m.Name == "cluster" {
				continue
			}
			if !slices.Contains(s.labels[name], m.Name) && m.Name != "le" {
				s.labels[name] = append(s.labels[name], m.Name)
			}
			if m.Type == labels.MatchEqual && m.Value != "" || m.Type == labels.MatchRegexp && plain.MatchString(m.Value) {
				for _, value := range strings.Split(strings.Trim(m.Value, "()"), "|") {
					if value != "" {
						s.asked[name][m.Name+"\x00"+value] = true
					}
				}
			}
		}
		return nil
	})
}

// job of whoever exports a metric; none of what is recorded.
func job(name string) string {
	switch {
	case strings.Contains(name, ":") || name == "kafka_suspect" || strings.HasPrefix(name, "ALERTS"):
		return ""
	case strings.HasPrefix(name, "node_"):
		return "node"
	case strings.HasPrefix(name, "kafka_producer_"), strings.HasPrefix(name, "kafka_consumer_"),
		strings.HasPrefix(name, "kafka_canary_") && !strings.HasPrefix(name, "kafka_canary_request_phase"):
		return "kafka-canary"
	default:
		return "kafka-broker"
	}
}

// series of a metric: each value that is asked for, two brokers and leaders; what nobody asks for has one value.
func (s schema) series(name string) []map[string]string {
	all := []map[string]string{{}}
	for _, label := range s.labels[name] {
		values := []string{"x"}
		switch label {
		case "cluster":
			values = []string{"local"}
		case "profile":
			values = []string{"default"}
		case "broker", "leader", "follower":
			values = []string{"1", "2"}
			if s.asked[name][label+"\x00none"] {
				values = append(values, "none")
			}
		case "num_io_threads":
			values = []string{"8"}
		default:
			var asked []string
			for pair := range s.asked[name] {
				if wanted, value, _ := strings.Cut(pair, "\x00"); wanted == label {
					asked = append(asked, value)
				}
			}
			if len(asked) > 0 {
				slices.Sort(asked)
				values = asked
			}
		}
		var next []map[string]string
		for _, each := range all {
			for _, value := range values {
				more := maps.Clone(each)
				more[label] = value
				next = append(next, more)
			}
		}
		all = next
	}
	job := job(name)
	for _, each := range all {
		switch job {
		case "":
		case "kafka-canary":
			each["job"], each["instance"] = job, "canary:9470"
		default:
			each["job"], each["instance"] = job, "host-"+each["broker"]
		}
	}
	return all
}

func write(name string, labels map[string]string) string {
	var all []string
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, fmt.Sprintf("%s=%q", label, labels[label]))
	}
	return name + "{" + strings.Join(all, ",") + "}"
}

func changed(labels map[string]string, changes ...string) map[string]string {
	labels = maps.Clone(labels)
	for i := 0; i < len(changes); i += 2 {
		labels[changes[i]] = changes[i+1]
	}
	return labels
}

// again is one series as others have it, too.
func again(name string, labels map[string]string) []map[string]string {
	all := []map[string]string{changed(labels, "prometheus", "monitoring/b", "prometheus_replica", "b", "replica", "b")}
	if labels["job"] == "" || labels["job"] == "node" {
		return all
	}
	all = append(all, changed(labels, "job", "kubernetes-pods", "instance", labels["instance"]+"-pod", "pod", "a"))
	if labels["job"] == "kafka-broker" && !strings.HasPrefix(name, "kafka_exporter_") && name != "up" && strings.HasPrefix(name, "kafka_") {
		all = append(all, changed(labels, "job", "jmx", "instance", labels["instance"]+":5556"), changed(labels, "instance", labels["instance"]+":5556"))
	}
	return all
}

func TestEveryPanelShowsTheSameWhenWhatItReadsIsThereTwice(t *testing.T) {
	tool := promtool(t)
	s := readSchema(t)
	fill := strings.NewReplacer("$cluster", "local", "$profile", "default", "$leader", ".*", "$site", ".*", "${percentile}", "0.99", "$percentile", "0.99",
		"$__rate_interval", "1m", "$__interval", "15s", "$__range", "5m")
	var queries []string
	eachQuery(t, func(t *testing.T, query string) {
		query = fill.Replace(query)
		queries = append(queries, query)
		s.learn(t, query)
	})
	require.Greater(t, len(queries), 150)
	once := answers(t, tool, queries, s, false)
	twice := answers(t, tool, queries, s, true)
	empty := 0
	for i, query := range queries {
		if strings.HasSuffix(once[i], "nil") {
			empty++
		}
		assert.Equal(t, once[i], twice[i], "It shows more when a broker is scraped by two exporters, or a store has two Prometheus servers. "+
			"Before sum, avg or count, reduce to one value of each node and label, as sum by (broker) (max by (broker, api) (rate(...))):\n%s", query)
	}
	// What is asked of yesterday, of percentiles that the data is too short for, and of the like.
	assert.Less(t, empty, len(queries)/5, "so many queries give nothing, which compares nothing")
}

var got = regexp.MustCompile(`(?m)^\s*got: ?(.*(?:\n\s+\{.*)*)$`)

// answers are those of promtool, which says what it got instead of what no query gives.
func answers(t *testing.T, tool string, queries []string, s schema, twice bool) []string {
	t.Helper()
	var inputs []input
	number := 0
	for _, name := range slices.Sorted(maps.Keys(s.asked)) {
		for _, labels := range s.series(name) {
			number++
			// So many slopes that no two series of a panel rank alike.
			values := fmt.Sprintf("%d+%dx80", number%7+1, number*number%997+1)
			switch {
			case name == "up" || strings.HasSuffix(name, "_info") || strings.Contains(name, "idle"):
				values = "0.5x80"
			case strings.Contains(name, "_by_") && strings.Contains(name, "rate"),
				strings.Contains(s.kinds[name], "histogram"):
				histogram := fmt.Sprintf("{{schema:0 sum:%d count:100 buckets:[60 40]}}", number%5+30)
				values = histogram + "+" + histogram + "x80"
			}
			all := []map[string]string{labels}
			if twice {
				all = append(all, again(name, labels)...)
			}
			for _, each := range all {
				if !strings.HasSuffix(name, "_bucket") {
					inputs = append(inputs, input{write(name, each), values})
					continue
				}
				for i, bound := range []string{"0.1", "1", "+Inf"} {
					inputs = append(inputs, input{write(name, changed(each, "le", bound)), fmt.Sprintf("0+%dx80", i+1)})
				}
			}
		}
	}
	type check struct {
		Expr    string           `yaml:"expr"`
		Time    string           `yaml:"eval_time"`
		Samples []map[string]any `yaml:"exp_samples"`
	}
	var checks []check
	for _, query := range queries {
		checks = append(checks, check{query, "15m", []map[string]any{{"labels": `{nobody="has"}`, "value": 42}}})
	}
	content, err := yaml.Marshal(map[string]any{
		"evaluation_interval": "15s",
		"tests":               []map[string]any{{"interval": "15s", "input_series": inputs, "promql_expr_test": checks}},
	})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "queries.yml")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	said, _ := exec.Command(tool, "test", "rules", file).CombinedOutput()
	var all []string
	for _, part := range strings.Split(string(said), "    expr: ")[1:] {
		all = append(all, strings.TrimSpace(part))
	}
	require.Len(t, all, len(queries), "%.3000s", said)
	return all
}
