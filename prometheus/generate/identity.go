// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

// Whose a sample is. Others scrape the same targets: a second job, such as one that finds pods by their annotations; the stock JMX exporter beside ours,
// whose metrics have the same names; a second Prometheus that writes into the same store. So every selector of what is scraped names the job, and
// what is added up, counted or averaged is first reduced to one value for each canary, or for each node and the metric's own labels. For each canary that
// is avg by (..., site, instance): rates of several jobs or Prometheus servers are the same rate, and max knows no native histograms.
const canaryJob = `job="kafka-canary"`

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
