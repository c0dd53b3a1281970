// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// Whose a sample is. Others scrape the same targets: a second job, such as one that finds pods by their annotations; the stock JMX exporter beside ours,
// whose metrics have the same names; a second Prometheus that writes into the same store. So every selector of what is scraped names the job, and
// what is added up, counted or averaged is first reduced to one value for each canary, or for each node and the metric's own labels.
const (
	canaryJob = `job="kafka-canary"`
	brokerJob = `job="kafka-broker"`
	nodeJobs  = `job=~"kafka-broker|kafka-controller"`
	ofCanary  = "{" + canaryJob + "}"
	ofNode    = "{" + nodeJobs + "}"
	oneCanary = "site, instance"
)

// activeController is 1 of the node that is the active controller.
var activeController = readSource("kafka-broker-alerts.yml").Parts["active_controller"]

// perCanary is one value for each canary and these labels: rates of several jobs or Prometheus servers are the same rate. avg, as max knows no
// native histograms.
func perCanary(by, rate string) string {
	return fmt.Sprintf("avg by (%s, %s) (%s)", by, oneCanary, rate)
}

// canaries adds up what each of several canaries counts.
func canaries(by, rate string) string {
	return fmt.Sprintf("sum by (%s) (%s)", by, perCanary(by, rate))
}

// of is a selector of a job's series, with more matchers or none.
func of(job string, matchers ...string) string {
	all := []string{job}
	for _, m := range matchers {
		if m = strings.Trim(m, "{}"); m != "" {
			all = append(all, m)
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}
