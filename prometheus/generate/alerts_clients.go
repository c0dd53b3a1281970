// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// clientsSlower compares what an application's own producers push with what the canary measures from sending a request to its commit.
func clientsSlower(t thresholds, profiles string) alert {
	rate := func(metric string) string {
		return "sum by (cluster, client_id) (" + oneClient + " (rate(kafka_client_producer_" + metric + ofNode + "[5m])))"
	}
	// A rate over five minutes comes out a little below the whole number that it is of.
	return alert{
		name: "ClientsSlowerThanCanary", severity: warning, team: teamKafka, forTime: "10m",
		comment: `A client's own figures of its produce requests, against the canary's publish and commit, which take as long where settings are alike. Clients with
another acks, much larger batches or a longer path are slower by nature: hence the factor. Clients that do not say how many requests they sent
(librdkafka, franz-go) are judged by the means in their pushes, of which there must be some: each stands for one request at least.`,
		expr: fmt.Sprintf(`(
  (
    %[1]s
    / %[2]s
    and
    round(%[2]s * 300, 0.001) >= %[7]s
  )
  or
  (
    avg by (cluster, client_id) (%[10]s (avg_over_time(kafka_client_producer_request_latency_mean_seconds%[11]s[5m])))
    and
    round(%[8]s * 300, 0.001) >= %[9]s
  )
)
> on (cluster) group_left ()
(
  %[3]s * max by (cluster) (sum by (cluster, profile) (%[4]s:mean5m{%[5]s,phase=~"publish|commit"})) + %[6]s
)`, rate("request_latency_seconds_sum"), rate("request_latency_seconds_count"), number(t.ClientsSlowerRatio), phaseByCluster, strings.Trim(profiles, "{}"),
			number(t.ClientsSlowerSeconds), number(t.ClientsRequests), rate("uncounted_pushes_total"), number(t.ClientsPushes), oneClient, ofNode),
		summary: "Kafka cluster {{ $labels.cluster }}: produce requests of client {{ $labels.client_id }} take {{ $value | humanizeDuration }}, the canary's do not",
		figures: "For ten minutes the produce requests of client {{ $labels.client_id }} on cluster {{ $labels.cluster }} have taken {{ $value | humanizeDuration }} on average. The client measured this" +
			`{{ with query (printf "max(sum by (profile) (` + phaseByCluster + `:mean5m{cluster=%q,` + strings.ReplaceAll(strings.Trim(profiles, "{}"), `"`, `\"`) +
			`,phase=~\"publish|commit\"}))" $labels.cluster) }}. ` +
			`The canary's take {{ . | first | value | humanizeDuration }} from sending to commit{{ end }}.`,
		next: "Ask the application's team what changed: network, hosts, acks, batch size or quotas. The dashboard Kafka clients shows each client.",
	}
}
