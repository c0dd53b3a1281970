// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package once

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsAddedUpCountedOrShownIsThereOnce(t *testing.T) {
	const canary = "avg without (prometheus, prometheus_replica, replica) "
	const node = "avg without (job, instance, prometheus, prometheus_replica, replica) "
	for query, want := range map[string]string{
		`sum(rate(kafka_canary_probes_total{leader=~"$leader"}[$__rate_interval]))`: `sum(` + canary + `(rate(kafka_canary_probes_total{leader=~"$leader"}[$__rate_interval])))`,
		`count by (broker) (kafka_server_x)`:                                        `count by (broker) (` + node + `(kafka_server_x))`,
		`max by (broker) (kafka_server_x)`:                                          `max by (broker) (kafka_server_x)`,
		`sum(max by (broker) (kafka_server_x))`:                                     `sum(max by (broker) (kafka_server_x))`,
		`kafka_canary:burn`:                                                         canary + `(kafka_canary:burn)`,
		`1 - kafka_canary:a / kafka_canary:b`:                                       canary + `(1 - kafka_canary:a / kafka_canary:b)`,
		`a * on (broker) group_left () max by (broker) (b)`:                         canary + `(a) * on (broker) group_left () max by (broker) (b)`,
		`topk(8, a)`: `topk(8, ` + canary + `(a))`,
		`histogram_quantile($percentile, sum by (leader) (rate(a[1m])))`:       `histogram_quantile($percentile, sum by (leader) (` + canary + `(rate(a[1m]))))`,
		`max(max_over_time((sum(rate(a[1m])))[$__range:$__interval] @ end()))`: `max(max_over_time((sum(` + canary + `(rate(a[1m]))))[$__range:$__interval] @ end()))`,
		`kafka_canary:latency:quantile5m`:                                      `max without (prometheus, prometheus_replica, replica) (kafka_canary:latency:quantile5m)`,
		`scalar(a)`:                                                            `scalar(` + canary + `(a))`,
	} {
		got, err := Of(query)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		again, err := Of(got)
		require.NoError(t, err)
		assert.Equal(t, got, again, "it is done once only")
	}
}

func TestWhatIsNoQueryIsRefused(t *testing.T) {
	_, err := Of("sum(")
	assert.ErrorContains(t, err, `query "sum("`)
}
