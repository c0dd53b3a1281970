// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

// worstBroker is a signal with one line for each broker, of the highest.
func worstBroker(name string, unit signal.Unit, query, read, do string) signal.Signal {
	return show(name, unit, worst("broker", query), read, do).Named("broker {{broker}}")
}

// sumBy is the rate of a counter of the brokers, each series added up by one label.
func sumBy(label, metric string) string {
	return fill(`sum by (<label>) (rate(<metric>{<broker>}[$__rate_interval]))`, names{"label": label, "metric": metric})
}

// RequestPhases are what a broker does with a request, in order. All but throttle add up to the total: for that long a client is told to hold back after the
// answer.
var RequestPhases = []string{"request_queue", "local", "remote", "throttle", "response_queue", "response_send"}

var requestPhaseWords = map[string][2]string{
	"request_queue":  {"Waiting for a request handler thread.", "Rising: handlers are busy (see how idle they are). Find the hot broker's leaders, conversion or compression on the broker; then num.io.threads."},
	"local":          {"In the leader: appending to the log or reading from it.", "Rising: page cache misses, a slow disk, log flushes, large batches. Compare with log flush and with the host's disk."},
	"remote":         {"Waiting for others: a produce for the in-sync followers (acks=all).", "Rising: a follower is slow: the replication dashboard names it."},
	"throttle":       {"For how long the broker told the client to hold back, because of a quota. It is not part of the total.", "Above 0: a client is over its quota. Raise the quota, or slow the client down."},
	"response_queue": {"The response waits for a network thread.", "Rising: network threads are busy (see how idle they are), often with TLS: num.network.threads."},
	"response_send":  {"Sending the response until the socket has taken it.", "Rising: the client reads slowly, or the network is full."},
	"total":          {"From the request's arrival until its response is written.", "The part that grew is in the panels beside it."},
}

// requestNames are short: they are titles of narrow panels.
var requestNames = map[string]string{"Produce": "Produce", "FetchConsumer": "Fetch", "FetchFollower": "Follower"}

// RequestPercentile is a percentile of one phase of one kind of request, from the agent's true histograms.
func RequestPercentile(request, phase string) signal.Signal {
	read, do := requestWords(request, phase)
	return worstBroker(requestTitle(request, phase)+", ${percentile:text}", signal.Seconds,
		percentileOf("$percentile", "broker", "kafka_request_phase_seconds", `<broker>,request="`+request+`",phase="`+phase+`"`, "$__rate_interval"), read, do).
		OrEmpty(needsAgent)
}

// RequestMean is the mean of one phase of one kind of request, as recorded from what JMX tells: in whole milliseconds.
func RequestMean(request, phase string) signal.Signal {
	read, do := requestWords(request, phase)
	return worstBroker(requestNames[request]+" "+phase, signal.Seconds,
		fill(`max by (broker) (kafka_broker:request_phase_seconds:mean1m{<broker>,request="<request>",phase="<phase>"})`, names{"request": request, "phase": phase}),
		read+" The broker's own mean of the last minute, from JMX: what takes less than half a millisecond counts as nothing.", do)
}

// RequestSplit is the mean of a kind of request, split into the phases that add up to the time until the response is written, over all brokers chosen: each
// request counts alike. It is drawn stacked, so throttle, which comes after that time, is not among them.
func RequestSplit(request string) signal.Signal {
	read := "The mean " + request + " request of the brokers chosen, split into what the broker does with it. The parts add up to the time until the response is written. throttle is left out: for that long a client over its quota is told to hold back after the response. From JMX: whole milliseconds."
	if request == "FetchConsumer" {
		read += " remote is mostly waiting for new data (fetch.max.wait.ms, fetch.min.bytes): that is a long poll and no latency, so it is left out here."
	}
	if request == "FetchFollower" {
		read += " remote is the wait for new data (replica.fetch.wait.max.ms): no latency, so it is left out here."
	}
	leaveOut := `phase!~"total|throttle"`
	if request != "Produce" {
		leaveOut = `phase!~"total|throttle|remote"`
	}
	return show(request+": where a broker spends its time", signal.Seconds,
		fill(`avg by (phase) (kafka_broker:request_phase_seconds:mean1m{<broker>,request="<request>",<phases>} >= 0)`,
			names{"request": request, "phases": leaveOut}),
		read, "The colour that grew is the panel to look at below.").Named("{{phase}}")
}

// requestTitle is short: the row says of which request. The long poll is called so, so that nobody takes it for latency.
func requestTitle(request, phase string) string {
	switch {
	case phase == "remote" && request != "Produce":
		return "long poll"
	case phase == "total" && request != "Produce":
		return "total with poll"
	default:
		return phase
	}
}

func requestWords(request, phase string) (string, string) {
	words := requestPhaseWords[phase]
	if phase == "remote" && request == "FetchConsumer" {
		return "Mostly the long poll: waiting for new data up to fetch.max.wait.ms. This is not latency.",
			"High without traffic is right. It says something only under steady load: then it should be short."
	}
	if phase == "remote" && request == "FetchFollower" {
		return "Mostly followers that wait for new data, up to replica.fetch.wait.max.ms. This is not latency.",
			"High without traffic is right."
	}
	if phase == "total" && request != "Produce" {
		return words[0] + " It contains the long poll, so it is not latency.", words[1]
	}
	return words[0], words[1]
}

// The two roles of one process register a gauge of the same name in one registry (as in KAFKA-19606), and the first stays. This one was seen to be 0
// while requests waited 200 ms each.
const combined = "Where broker and controller are one process, Kafka shows the controller's under this name, and this stays 0: read the time in the response queue below instead."

var (
	TimingActive = show("Brokers with true request timing", signal.Ratio,
		`sum(kafka_exporter_request_timing_active{job="kafka-broker",<broker>}) / count(up{job="kafka-broker",<broker>})`,
		"The share of brokers whose agent times every request in nanoseconds. The percentiles below come from them alone.",
		"Below 100 %: those brokers run another exporter, or the agent switched its timing off and said why in the broker's log.").OrEmpty(needsAgent)

	AgentsReached = show("Agents that the canary reads", signal.Ratio,
		`avg(max by (broker) (kafka_canary_agent_reachable{<broker>}))`,
		"The share of brokers whose agent answered the canary's last request for marks, of those whose address is in its exporters.",
		"Below 100 %: of those brokers the canary knows only what can be bounded from outside; the rest of their waits is unknown, and nobody is named by a guess. See the alert BrokerAgentUnreachable.").
		OrEmpty(needsAgent)

	HandlerIdle = worstBrokerLow("Request handlers idle",
		`min by (broker) (clamp_max(kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent{<broker>} or kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent{<broker>}, 1))`,
		"The share of time that a broker's request handler threads wait for work; the least idle brokers.",
		"Below 30 % requests queue and every phase gets slower: a hot partition, compression on the broker, many small requests, too few num.io.threads.")

	NetworkIdle = worstBrokerLow("Network threads idle",
		`min by (broker) (clamp_max(kafka_network_socketserver_networkprocessoravgidlepercent{<broker>}, 1))`,
		"The share of time that a broker's network threads wait for work; the least idle brokers.",
		"Below 30 %: responses queue. TLS, very many connections, large fetches; num.network.threads.")

	RequestQueue = worstBroker("Requests that wait for a handler", signal.Count,
		`max by (broker) (kafka_broker:requests_waiting:mean1m{<broker>})`,
		"Requests in the broker's queue, on the mean of a minute: by its gauge or by Little's law (rate times mean wait), whichever is more. At queued.max.requests (500) it stops reading from the network.",
		"If it is often above 0, handlers are too few or too busy: see how idle they are, and what local does.")

	ResponseQueue = worstBroker("Responses that wait for a network thread", signal.Count,
		`max by (broker) (kafka_network_requestchannel_responsequeuesize{<broker>})`,
		"Responses in the broker's queues. "+combined, "If it is often above 0, network threads are busy: see how idle they are.")

	PurgatoryProduce = worstBroker("Produces waiting for followers", signal.Count,
		`max by (broker) (kafka_server_delayedoperationpurgatory_numdelayedoperations{<broker>,delayedOperation="Produce"})`,
		"Produce requests in purgatory: acknowledged only when the in-sync followers have them.",
		"Growing on all brokers but one: that one follows slowly. On one: its followers' fetches do not get through.")

	PurgatoryFetch = worstBroker("Fetches waiting for data", signal.Count,
		`max by (broker) (kafka_server_delayedoperationpurgatory_numdelayedoperations{<broker>,delayedOperation="Fetch"})`,
		"Fetch requests in purgatory: long polls of consumers and followers.",
		"It follows the number of consumers and followers that are caught up; a sudden fall means that they are not.")

	LogFlush = worstBroker("Log flush, mean", signal.Seconds,
		`max by (broker) (kafka_log_logflushstats_logflushrateandtimems_mean{<broker>}) / 1000`,
		"How long a flush of a log segment to disk takes, on the mean since the broker started.",
		"Above some 100 ms: the disk is slow or shared. Kafka rarely flushes by itself; check log.flush.interval.*.").OrEmpty(needsFlush)

	RequestRate = show("Requests by API", signal.RequestsPerSec,
		worst("request", `sum by (request) (rate(kafka_network_requestmetrics_requests_total{<broker>}[$__rate_interval]))`),
		"Requests per second by API, of the brokers chosen: the eight most frequent.",
		"A jump of Metadata or Fetch without more data points at clients that reconnect or poll too fast (fetch.min.bytes, linger.ms).").
		Named("{{request}}")

	ErrorRate = show("Errors by code", signal.PerSec,
		worst("request, error", `sum by (request, error) (rate(kafka_network_requestmetrics_errors_total{<broker>,error!="NONE"}[$__rate_interval])) > 0`),
		"Errors in responses, by API and code.",
		"NOT_LEADER_OR_FOLLOWER in bursts is a leader change; NOT_ENOUGH_REPLICAS means that writes fail: see the replication dashboard. Codes of authorization: a client lacks an ACL.").
		Named("{{request}} {{error}}").OrEmpty(nothingWrong)

	FollowerFetchWork = worstBroker("Leader at work on a fetch of a follower", signal.Seconds,
		`sum by (broker) (max by (broker, phase) (kafka_broker:request_phase_seconds:mean1m{<broker>,request="FetchFollower",phase=~"request_queue|local"}) >= 0)`,
		"How long a leader works on a follower's fetch, on the mean of the last minute: waiting for a handler, and reading its log. From JMX, without the wait for new data.",
		"Rising: the leader itself is slow to serve its followers, by its handlers or its disk; its commits wait although no follower is to blame.")

	FailedRequests = worstBroker("Failed produce and fetch requests", signal.RequestsPerSec,
		`sum by (broker) (rate(kafka_server_brokertopicmetrics_failedproducerequests_total{<broker>}[$__rate_interval]) + rate(kafka_server_brokertopicmetrics_failedfetchrequests_total{<broker>}[$__rate_interval]))`,
		"Produce and fetch requests that the broker failed.", "Above 0: look at errors by code, then at the broker's log.")

	BytesIn = worstBroker("Bytes in", signal.BytesPerSec, sumBy("broker", "kafka_server_brokertopicmetrics_bytesin_total"),
		"What producers write, by broker.", "One far above the others: partitions or load are not balanced.")

	BytesOut = worstBroker("Bytes out", signal.BytesPerSec, sumBy("broker", "kafka_server_brokertopicmetrics_bytesout_total"),
		"What consumers read, by broker.", "More than a few times what comes in: consumers that read again from the start, which empties the page cache.")

	MessagesIn = worstBroker("Records in", signal.PerSec, sumBy("broker", "kafka_server_brokertopicmetrics_messagesin_total"),
		"Records appended, by broker.", "Bytes in divided by this is the record's size; many tiny records cost CPU: larger batches (linger.ms, batch.size).")

	Connections = worstBroker("Connections", signal.Count, `sum by (broker) (kafka_server_socket_server_metrics_connection_count{<broker>})`,
		"Open connections of each broker.", "A saw-tooth is clients that reconnect: see the creation rate, authentication failures and connections.max.idle.ms.")

	ConnectionRate = worstBroker("Connections opened", signal.PerSec, sumBy("broker", "kafka_server_socket_server_metrics_connection_creation_total"),
		"New connections per second.", "Steadily above a few: a client makes a new producer for each record; with TLS that costs network threads dearly.")

	FailedAuthentication = worstBroker("Failed authentications", signal.PerSec, sumBy("broker", "kafka_server_socket_server_metrics_failed_authentication_total"),
		"Clients that failed to authenticate.", "Above 0: a client with old credentials; the broker's log names its address.")
)

// worstBrokerLow is the same for what is bad when it is low.
func worstBrokerLow(name, query, read, do string) signal.Signal {
	return show(name, signal.Ratio,
		fill(`(<query>) and on (broker) bottomk(<fewest>, min by (broker) (min_over_time((<query>)[$__range:$__interval] @ end())))`,
			names{"query": query, "fewest": fewest}), read, do).Named("broker {{broker}}")
}
