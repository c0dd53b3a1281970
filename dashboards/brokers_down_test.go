// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

// The tile of brokers that are down counts what BrokerDown fires for.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"phasewise.io/dashboards/internal/signals"
)

func TestTheTileCountsBrokersWhosePortAnotherJvmHas(t *testing.T) {
	query := func(cluster string) string { return strings.ReplaceAll(signals.BrokersDown.Query, "$cluster", cluster) }
	up := func(cluster, broker, values string) string {
		return fmt.Sprintf(`      - {series: 'up{job="kafka-broker", cluster="%s", broker="%s", instance="k%s"}', values: %s}`, cluster, broker, broker, values)
	}
	node := func(cluster, broker, values string) string {
		return strings.Replace(up(cluster, broker, values), "up{", "kafka_exporter_kafka_node{", 1)
	}
	value := func(cluster string, down int) string {
		return fmt.Sprintf("      - {expr: '%s', eval_time: 5m, exp_samples: [{labels: '{}', value: %d}]}", query(cluster), down)
	}
	test := strings.Join([]string{
		"tests:", "  - interval: 1m", "    input_series:",
		up("a", "1", "1x10"), up("a", "2", "0x10"), up("a", "3", "1x10"), node("a", "3", "0x10"), up("a", "4", "1x10"), node("a", "4", "1x10"),
		up("b", "1", "1x10"),
		`      - {series: 'kafka_canary_slo_objective_ratio{job="kafka-canary", cluster="c"}', values: 0.99x10}`,
		"    promql_expr_test:", value("a", 2), value("b", 0), value("c", 0), ""}, "\n")
	file := filepath.Join(t.TempDir(), "test.yml")
	require.NoError(t, os.WriteFile(file, []byte(test), 0o600))
	said, err := exec.Command(promtool(t), "test", "rules", file).CombinedOutput()
	require.NoError(t, err, string(said))
}
