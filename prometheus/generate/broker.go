// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

const brokerComment = `Mean time of a request in each of the broker's phases, over a window, from what Kafka's beans say: *_mean and *_count.

Both run since the broker started, so mean * count is the sum of all times, in whole milliseconds (hence round()), and
  mean over a window = increase of that sum / increase of the count.
rate() and increase() must not be applied to the product: the exporter reads mean and count one after the other, so under load the product can
fall by a hair. They would take that for a restart and add the whole sum. The rules subtract instead, and give nothing for a window in which the
broker restarted or no request came.

Means add up: request_queue + local + remote + response_queue + response_send = total, but for rounding. throttle is no part of the total: for that long
a client is told to hold back after the answer (quotas). In a fetch, remote is mostly the wait for new data (fetch.min.bytes, fetch.max.wait.ms), and so is
total: do not read them as latency.
`

// broker records the brokers' phase means, and how busy they are.
func broker(s settings) []ruleFile {
	file := ruleFile{path: "rules/kafka-broker.yml", source: "broker.go", comment: brokerComment}
	for _, w := range s.Latency {
		for _, phase := range []string{"request_queue", "local", "remote", "throttle", "response_queue", "response_send", "total"} {
			bean := "kafka_network_requestmetrics_" + strings.ReplaceAll(phase, "_", "") + "timems"
			mean := recording("kafka_broker:request_phase_seconds:mean"+string(w.Window), requestMean(bean, s, w.Window)).labelled("phase", phase)
			file.groups = append(file.groups, group{name: "kafka-broker-" + dashed(phase) + "-" + string(w.Window), interval: w.CostlyInterval, rules: []rule{mean}})
		}
	}
	return []ruleFile{file, written(s, "kafka-broker-saturation.yml", nil)}
}

// requestMean is the mean time of requests over a window, in seconds, from a bean's mean in milliseconds and its count.
func requestMean(bean string, s settings, window duration) string {
	selector := fill(`{job=~"kafka-broker|kafka-controller",request=~"<requests>"}`, names{"requests": s.Requests})
	return fill(`max by (cluster, broker, request) (
  clamp_min(round(<mean> * <count>) - round(<mean> offset <window> * <count> offset <window>), 0) / 1000
  / (<count> - <count> offset <window> > 0)
  and resets(<count>[<window>]) == 0
)`, names{"mean": bean + "_mean" + selector, "count": bean + "_count" + selector, "window": string(window)})
}
