// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

// client is a metric of Kafka's own clients, with one line for each client: the canary's, and any that export it by the same name.
func client(name string, unit signal.Unit, query, read, do string) signal.Signal {
	return show(name, unit, worst("client_id", query), read, do).Named("{{client_id}}")
}

func largest(metric string) string {
	return fill(`max by (client_id) (<metric>{<client>} >= 0)`, names{"metric": metric})
}

func inSeconds(metric string) string {
	return fill(`max by (client_id) (<metric>{<client>} >= 0) / 1000`, names{"metric": metric})
}

// The producer's side.
var (
	RequestLatencyAvg = client("Produce request, mean", signal.Seconds, inSeconds("kafka_producer_request_latency_avg"),
		"From sending a request to its response, on the mean of the last half minute, as the client sees it.",
		"Compare with the broker's total for Produce: what is longer here is the network, or the client's own threads.")
	RequestLatencyMax = client("Produce request, longest", signal.Seconds, inSeconds("kafka_producer_request_latency_max"),
		"The longest of them.", "Seconds: a leader change, a stalled follower, a retry. It is kept for half a minute.")
	BatchSizeAvg = client("Batch size, mean", signal.Bytes, largest("kafka_producer_batch_size_avg"),
		"Bytes of a batch, for each partition in a request.",
		"Far below batch.size with high request rates: raise linger.ms; it makes fewer, larger requests, and above moderate load lower latency.")
	BufferWait = client("Buffer memory wait", signal.Ratio, `max by (client_id) (rate(kafka_producer_bufferpool_wait_time_ns_total{<client>}[1m])) / 1e9`,
		"The share of time that send() waits because buffer.memory is full.", "Above 0: the producer makes more than the brokers take; end-to-end latency grows in produce. Find out why requests are slow before raising buffer.memory.")
	QueueTime = client("Records wait in buffer", signal.Seconds, inSeconds("kafka_producer_record_queue_time_avg"),
		"From send() until the batch is taken to be sent.", "It is linger.ms when all is well; above it, requests in flight hold batches back.")
	SendRate = client("Records sent", signal.PerSec, `sum by (client_id) (rate(kafka_producer_record_send_total{<client>}[1m]))`,
		"Records per second that were sent. Of the canary: those of its first lane.", "A fall without a fall in demand: see errors, retries and buffer waits.")
	RecordsPerRequest = client("Records in a request, mean", signal.Count, largest("kafka_producer_records_per_request_avg"),
		"How many records share the cost of a request.", "Near 1 at a high rate: brokers spend CPU on requests; raise linger.ms.")
	ErrorRateProducer = client("Records that failed", signal.PerSec, `sum by (client_id) (rate(kafka_producer_record_error_total{<client>}[1m]))`,
		"Records per second that the producer gave up. Of the canary: those of its first lane.", "Above 0: data is lost unless the application does something. Its log has the exception.")
	RetryRate = client("Records sent again", signal.PerSec, `sum by (client_id) (rate(kafka_producer_record_retry_total{<client>}[1m]))`,
		"Records per second that were sent again. Of the canary: those of its first lane.", "Bursts are leader changes. Steadily above 0: time-outs or full queues; each retry is latency.")
	ProduceThrottle = client("Producer throttled, mean", signal.Seconds, inSeconds("kafka_producer_produce_throttle_time_avg"),
		"How long brokers told the producer to hold back, because of a quota.", "Above 0: the client is over its quota.")
	InFlightRequests = client("Requests in flight", signal.Count, largest("kafka_producer_requests_in_flight"),
		"Requests without a response yet.", "At max.in.flight.requests.per.connection for each broker: latency is bounded by the brokers' responses.")
)

// The consumer's side.
var (
	ConsumedRecords = client("Records consumed", signal.PerSec, `sum by (client_id) (rate(kafka_consumer_fetch_manager_records_consumed_total{<client>}[1m]))`,
		"Records per second that poll() returned.", "Below what is produced: lag grows, and with it catch_up.")
	ConsumedBytes = client("Bytes consumed", signal.BytesPerSec, `sum by (client_id) (rate(kafka_consumer_fetch_manager_bytes_consumed_total{<client>}[1m]))`,
		"The same in bytes.", "At a flat limit: the network, a quota, or one slow thread.")
	FetchLatencyAvg = client("Fetch, mean", signal.Seconds, inSeconds("kafka_consumer_fetch_manager_fetch_latency_avg"),
		"From sending a fetch to its response. A fetch waits for data: up to fetch.max.wait.ms without traffic that is no latency.",
		"It matters only when there is lag: then it should be short.")
	FetchLatencyMax = client("Fetch, longest", signal.Seconds, inSeconds("kafka_consumer_fetch_manager_fetch_latency_max"),
		"The longest of them.", "Above fetch.max.wait.ms by far: the broker's response queue, or the network.")
	RecordsLag = client("Consumer lag, records", signal.Count, largest("kafka_consumer_fetch_manager_records_lag_max"),
		"How many records are still to be read of the partition that is furthest behind. That is what catch_up is made of.",
		"Growing: the application is slower than its input: more consumers (up to the number of partitions), faster processing, larger fetches.")
	PollGap = client("Between polls, longest", signal.Seconds, inSeconds("kafka_consumer_time_between_poll_max"),
		"The longest time between two calls of poll(): what the application does with the records.",
		"Near max.poll.interval.ms the consumer is thrown out of its group: do less between polls, or lower max.poll.records.")
	PollIdle = client("Share of time in poll()", signal.Ratio, largest("kafka_consumer_poll_idle_ratio_avg"),
		"The share of time in which the consumer waits in poll().", "Near 0: the application is the bottleneck, not Kafka.")
	FetchThrottle = client("Consumer throttled, mean", signal.Seconds, inSeconds("kafka_consumer_fetch_manager_fetch_throttle_time_avg"),
		"How long brokers told the consumer to hold back, because of a quota.", "Above 0: the client is over its quota.")
	CommitLatencyAvg = client("Offset commit, mean", signal.Seconds, inSeconds("kafka_consumer_coordinator_commit_latency_avg"),
		"How long committing offsets takes.", "High: the group's coordinator, or the followers of __consumer_offsets, are slow.").OrEmpty(needsGroup)
	RebalanceMax = client("Rebalance, longest", signal.Seconds, inSeconds("kafka_consumer_coordinator_rebalance_latency_max"),
		"The longest rebalance: the group is paused meanwhile.", "Seconds, often: members come and go. Static membership (group.instance.id), the newer group protocol, shorter work between polls.").
		OrEmpty(needsRebalance)
)
