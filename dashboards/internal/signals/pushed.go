// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"strings"

	"phasewise.io/dashboards/internal/signal"
)

const needsPush = "applications' clients push it after `./phasewise telemetry enable --execute` (docs/how-to/client-telemetry.md)"

// The brokers' own clients push as well, where there is tiered storage: they keep its metadata in a topic.
const ofApplication = ofClient + `,client_id!~"__remote_log_metadata_client_.*"`

// pushed is what an application's own client measures and pushes to a broker, with one line for each client id. A client pushes to one broker
// at a time and may change it: what counts is added over brokers.
func pushed(name string, unit signal.Unit, query, read, do string) signal.Signal {
	return show("Applications: "+name, unit, worst("client_id", query), read, do).
		Named("{{client_id}}").OrEmpty(needsPush)
}

// Clients push every 30 s, or as often as their subscription says.
func pushedMean(metric string) string {
	return fill("sum by (client_id) (rate(<metric>_sum{<application>}[2m])) / (sum by (client_id) (rate(<metric>_count{<application>}[2m])) > 0)", names{"metric": metric})
}

// pushedAnyMean is of clients that say how many there were, and else the mean of their last push (librdkafka, franz-go).
func pushedAnyMean(metric string) string {
	return pushedMean(metric) + fill(" or avg by (client_id) (<metric>_mean_seconds{<application>})", names{"metric": strings.TrimSuffix(metric, "_seconds")})
}

func pushedMax(metric string) string {
	return fill("max by (client_id) (<metric>{<application>})", names{"metric": metric})
}

func pushedRate(metric string) string {
	return fill("sum by (client_id) (rate(<metric>{<application>}[2m]))", names{"metric": metric})
}

// What the applications' producers push.
var (
	PushedRequest = pushed("produce request, mean", signal.Seconds, pushedAnyMean("kafka_client_producer_request_latency_seconds"),
		"From sending a request to its response, as the applications' own producers measure it, on the mean.",
		"Compare with the canary's producer latency, which holds the wait in the buffer too. What only the application has is its network, its settings, its own threads.")
	PushedRequestMax = pushed("produce request, longest", signal.Seconds, pushedMax("kafka_client_producer_request_latency_max_seconds"),
		"The longest of them within the client's last half minute or minute.", "Seconds: a leader change, a stalled follower, a retry.")
	PushedQueueTime = pushed("records wait in buffer", signal.Seconds, pushedMean("kafka_client_producer_record_queue_time_seconds"),
		"From send() until the batch is taken to be sent. Not of librdkafka, which pushes another wait: see the panel beside it.", "It is linger.ms when all is well; above it, requests in flight hold batches back.")
	PushedSocketQueue = pushed("requests wait for socket (librdkafka)", signal.Seconds, "avg by (client_id) (kafka_client_producer_socket_queue_time_mean_seconds{<application>})",
		"How long a request waits in the output buffer of a socket of librdkafka, on the mean. What a record waits before, linger.ms included, is not in it.",
		"Above a millisecond: the network or the broker takes data too slowly. Near 0 says nothing of the wait in the producer's own queue.")
	PushedBatchSize = pushed("batch size, mean", signal.Bytes, pushedMean("kafka_client_producer_batch_size_bytes"),
		"Bytes of a batch.", "Small ones at a high rate: the application would gain by a longer linger.ms.")
	PushedRetries = pushed("records sent again", signal.PerSec, pushedRate("kafka_client_producer_record_retries_total"),
		"Records per second that were sent again.", "Bursts are leader changes. Steadily above 0: time-outs or full queues.")
	PushedErrors = pushed("records that failed", signal.PerSec, pushedRate("kafka_client_producer_record_errors_total"),
		"Records per second that the producer gave up.", "Above 0: the application loses data unless it does something. Its log has the exception.")
)

// What the applications' consumers push.
var (
	PushedLag = pushed("consumer lag, records", signal.Count, pushedMax("kafka_client_consumer_records_lag_max"),
		"How many records are still to be read of the partition that is furthest behind.",
		"Growing: the application is slower than its input. See the share of its time in poll(): near 0 it is busy with its records.")
	PushedFetch = pushed("fetch, mean", signal.Seconds, pushedAnyMean("kafka_client_consumer_fetch_latency_seconds"),
		"From sending a fetch to its response. Without traffic that is waiting for data, up to fetch.max.wait.ms.", "It matters only when there is lag: then it should be short.")
	PushedIdle = pushed("share of time in poll()", signal.Ratio, "min by (client_id) (kafka_client_consumer_poll_idle_ratio_min{<application>})",
		"The share of time that the busiest of its instances waits in poll().", "Near 0: the application is the bottleneck, not Kafka.")
	PushedCommit = pushed("offset commit, mean", signal.Seconds, pushedAnyMean("kafka_client_consumer_commit_latency_seconds"),
		"How long committing offsets takes.", "High: the group's coordinator, or the followers of __consumer_offsets, are slow.")
	PushedRebalances = pushed("rebalances", signal.PerSec, pushedRate("kafka_client_consumer_rebalances_total"),
		"Rebalances per second that a client takes part in; the group may read nothing meanwhile.", "Again and again: members come and go, or poll() is called too seldom.")
	PushingNow = show("Applications' clients that push", signal.Count, "sum(kafka_client_instances{<application>})",
		"How many clients of applications push what they measure to the brokers.",
		"None: `./phasewise telemetry enable --execute` asks them to; the brokers' agent has to receive it (docs/how-to/client-telemetry.md). Fewer than usual: see the panel by client id.").
		OrEmpty(needsPush)
	PushedClients = pushed("clients that push", signal.Count, "sum by (client_id) (kafka_client_instances{<application>})",
		"How many clients push under each id; after a change of broker one may count twice for a while.", "Fewer than instances of the application: old libraries, enable.metrics.push=false, or no subscription.")
)
