// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMisuse(t *testing.T) {
	const p99 = `histogram_quantile(0.99, sum by (le) (rate(x_bucket[1m])))`
	for name, tc := range map[string]struct {
		query string
		wrong bool
	}{
		"a percentile of summed buckets is right":    {p99, false},
		"the largest percentile is right":            {`max by (leader) (` + p99 + `)`, false},
		"the worst leaders by percentile are right":  {`topk(5, a:b:quantile5m)`, false},
		"a percentile in other units is right":       {p99 + ` * 1000`, false},
		"a sum of counters is right":                 {`sum(rate(x_total[1m]))`, false},
		"the leader in the middle is right":          {`quantile(0.5, ` + p99 + `)`, false},
		"the usual of means is right":                {`sum(a:b:mean5m - quantile_over_time(0.5, a:b:mean5m[1d]))`, false},
		"the usual of percentiles":                   {`quantile_over_time(0.5, a:b:quantile5m[1d])`, true},
		"an average of computed percentiles":         {`avg(` + p99 + `)`, true},
		"an average of recorded percentiles":         {`avg by (cluster) (a:b:quantile5m{quantile="0.99"})`, true},
		"a sum of a summary's percentiles":           {`sum(x{quantile="0.99"})`, true},
		"an average of percentiles over time":        {`avg_over_time(a:b:quantile5m[1h])`, true},
		"percentiles added up":                       {p99 + ` + ` + p99, true},
		"an average of percentiles inside something": {`clamp_min(avg(` + p99 + `), 0)`, true},
	} {
		t.Run(name, func(t *testing.T) {
			query, err := Parse(tc.query)
			require.NoError(t, err)
			assert.Equal(t, tc.wrong, query.Misuse() != nil, tc.query)
		})
	}
}

func TestFewIsAboutTheHighestOrTheLowest(t *testing.T) {
	for query, few := range map[string]bool{
		`x and on (broker) topk(8, max by (broker) (x))`: true,
		`bottomk(3, x)`:       true,
		`topk(9, x)`:          false,
		`topk(scalar(y), x)`:  false,
		`max by (broker) (x)`: false,
	} {
		parsed, err := Parse(query)
		require.NoError(t, err)
		assert.Equal(t, few, parsed.KeepsFew(8), query)
	}
}

func TestMetricsAreFoundWhereverTheyAreNamed(t *testing.T) {
	query, err := Parse(`sum(rate(a_total{x="$x"}[$__rate_interval])) / {__name__="b"} + a_total and c:d:e`)
	require.NoError(t, err)
	assert.Equal(t, []string{"a_total", "b", "c:d:e"}, query.Metrics(), "metrics")
}

func TestContractKnowsTheCanaryTheBrokersAndTheRules(t *testing.T) {
	repository := t.TempDir()
	write(t, repository, "docs/reference/canary-metrics.md",
		"| `kafka_canary_end_to_end_latency_seconds` | histogram | s |\n| `kafka_canary_probes_total` | counter | |\n| `kafka_canary_error_seconds` | native histogram | s |\n")
	write(t, repository, "docs/reference/broker-metrics.md", "text\n| `kafka_server_x` | gauge |  | idle |\n| kafka_server_y | gauge |\n")
	write(t, repository, "docs/reference/client-metrics.md", "| `kafka_client_m_seconds` | summary | s |\n| `kafka_client_g` | gauge | |\n")
	write(t, repository, "prometheus/rules/a.yml", "rules:\n  - record: a:b:c\n    expr: x\n  - alert: Z\n")
	write(t, repository, "prometheus/rules/native/a.yml", "rules:\n  - record: a:b:e\n")
	contract, err := ReadContract(repository)
	require.NoError(t, err)
	for metric, want := range map[string]bool{
		"kafka_canary_end_to_end_latency_seconds":        true,
		"kafka_canary_end_to_end_latency_seconds_bucket": true,
		"kafka_canary_end_to_end_latency":                false,
		"kafka_canary_probes_total":                      true,
		"kafka_canary_probes_total_bucket":               false,
		"kafka_canary_error_seconds":                     true,
		"kafka_canary_error_seconds_bucket":              false,
		"kafka_server_x":                                 true,
		"kafka_server_y":                                 false,
		"kafka_client_m_seconds_sum":                     true,
		"kafka_client_g":                                 true,
		"kafka_client_g_sum":                             false,
		"kafka_producer_request_latency_avg":             true,
		"kafka_producer_":                                false,
		"a:b:c":                                          true,
		"a:b:e":                                          true,
		"a:b:d":                                          false,
		"Z":                                              false,
		"up":                                             true,
		"":                                               false,
	} {
		assert.Equal(t, want, contract.Promises(metric), "Promises(%q) =", metric)
	}
}

func TestAContractWithoutItsSourcesIsRefused(t *testing.T) {
	repository := t.TempDir()
	_, err := ReadContract(repository)
	assert.Error(t, err, "an empty repository")
	for _, page := range []string{"canary", "broker", "client"} {
		write(t, repository, "docs/reference/"+page+"-metrics.md", "| `kafka_server_x` | gauge |\n")
	}
	_, err = ReadContract(repository)
	assert.Error(t, err, "a repository without rules")
}

func write(t *testing.T, repository, name, content string) {
	t.Helper()
	file := filepath.Join(repository, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

func TestNonsenseIsNoQuery(t *testing.T) {
	_, err := Parse(`sum(rate(x_total[1m])`)
	assert.Error(t, err, "an unclosed parenthesis")
}
