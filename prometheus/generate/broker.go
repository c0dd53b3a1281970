// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const brokerComment = `Mean time of a request in each of the broker's phases, over a window, from the JMX exporter's *_mean and *_count.

Both run since the broker started, so mean * count is the sum of all times, in whole milliseconds (hence round()), and
  mean over a window = increase of that sum / increase of the count.
rate() and increase() must not be applied to the product: the exporter reads mean and count one after the other, so under load the product can
fall by a hair, which they would take for a restart and answer with the whole sum. The rules subtract instead, and say nothing for a window in
which the broker restarted or no request came.

Means add up: request_queue + local + remote + throttle + response_queue + response_send = total, but for rounding. In a fetch, remote is
mostly the wait for new data (fetch.min.bytes, fetch.max.wait.ms) and so is total: do not read them as latency.
`

const requestsWaitingComment = `Requests that wait for a handler, on the mean of a minute: by Kafka's gauge, or by Little's law, seconds waited per second: the agent's histogram, or from JMX, which knows whole
milliseconds only, of the requests whose phases are recorded; whichever of gauge and law is more. On a node that is broker and controller at once the gauge is the controller's queue (KAFKA-13620). Where handlers finish nothing at all, only the gauge knows.`

const requestsWaiting = `max by (cluster, broker) (
  avg_over_time(kafka_network_requestchannel_requestqueuesize` + ofNode + `[1m])
  or
  sum by (cluster, broker) (
    avg by (cluster, broker, request) (
      histogram_sum(rate(kafka_request_phase_seconds{` + nodeJobs + `,phase="request_queue"}[1m]))
      or
      rate(kafka_request_phase_seconds_sum{` + nodeJobs + `,phase="request_queue"}[1m])
    )
  )
  or
  sum by (cluster, broker) (
    kafka_broker:request_phase_seconds:mean1m{phase="request_queue"}
    * on (cluster, broker, request) max by (cluster, broker, request) (rate(kafka_network_requestmetrics_requestqueuetimems_count` + ofNode + `[1m]))
  )
)`

// broker records the brokers' phase means and saturation.
func broker(s settings) []ruleFile {
	file := ruleFile{path: "rules/kafka-broker.yml", comment: brokerComment}
	for _, w := range s.Latency {
		for _, phase := range []string{"request_queue", "local", "remote", "throttle", "response_queue", "response_send", "total"} {
			bean := "kafka_network_requestmetrics_" + strings.ReplaceAll(phase, "_", "") + "timems"
			mean := recording("kafka_broker:request_phase_seconds:mean"+string(w.Window),
				jmxMean(bean, of(nodeJobs, `request=~"`+s.Requests+`"`), "cluster, broker, request", string(w.Window))).labelled("phase", phase)
			file.groups = append(file.groups, group{name: "kafka-broker-" + dashed(phase) + "-" + string(w.Window), interval: w.CostlyInterval, rules: []rule{mean}})
		}
	}
	const saturation = "kafka_broker:saturation:ratio5m"
	const waiting = "kafka_broker:requests_waiting:mean1m"
	const pool = "kafka_server_kafkarequesthandlerpool_"
	busy := group{
		name:     "kafka-broker-saturation",
		interval: "15s",
		rules: []rule{
			recording(saturation, "max by (cluster, broker) (clamp(1 - (\n  avg_over_time("+pool+"brokerrequesthandleravgidle_percent"+ofNode+"[5m])\n  or\n  avg_over_time("+
				pool+"requesthandleravgidle_percent"+ofNode+"[5m])\n), 0, 1))").labelled("resource", "request_handlers").
				commented("The broker's own handlers where Kafka tells them from the controller's (4), else both."),
			recording(saturation, "max by (cluster, broker) (clamp(1 - avg_over_time(kafka_network_socketserver_networkprocessoravgidlepercent"+ofNode+"[5m]), 0, 1))").
				labelled("resource", "network_processors"),
			recording(waiting, requestsWaiting).commented(requestsWaitingComment),
			recording(saturation, fmt.Sprintf("avg_over_time(%s[5m]) / %s", waiting, number(s.Thresholds.QueuedMaxRequests))).labelled("resource", "request_queue"),
			recording("kafka_broker:log_flush_seconds:mean5m", jmxMean("kafka_log_logflushstats_logflushrateandtimems", ofNode, oneBroker, "5m")),
		},
	}
	return []ruleFile{file, {
		path:    "rules/kafka-broker-saturation.yml",
		comment: "How busy the brokers are, 0 to 1, and how long they need to flush a log.\n",
		groups:  []group{busy},
	}}
}

// jmxMean is by these labels, which are all that the bean has.
func jmxMean(bean, matchers, by, window string) string {
	return fmt.Sprintf(`max by (%[4]s) (
  clamp_min(round(%[1]s_mean%[2]s * %[1]s_count%[2]s) - round(%[1]s_mean%[2]s offset %[3]s * %[1]s_count%[2]s offset %[3]s), 0) / 1000
  / (%[1]s_count%[2]s - %[1]s_count%[2]s offset %[3]s > 0)
  and resets(%[1]s_count%[2]s[%[3]s]) == 0
)`, bean, matchers, window, by)
}
