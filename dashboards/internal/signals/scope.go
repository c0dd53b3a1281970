// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package signals defines each thing worth looking at once, by subject; where it is shown is left to package pages. Queries read what
// prometheus/rules records wherever something is recorded: that is what keeps a dashboard of 100 brokers fast.
package signals

import (
	"fmt"
	"regexp"
	"strings"

	"phasewise.io/dashboards/internal/once"
	"phasewise.io/dashboards/internal/signal"
)

// The label matchers that the dashboards' variables stand behind. "All" leaders match a label that is not there, too: what else
// runs on the brokers' hosts has no broker.
const (
	// What rules record has no job. Other jobs scrape the same targets, or others with the same metrics: pods by their annotations, the stock JMX exporter.
	ours      = `job=~"|kafka-(broker|canary|controller)"`
	ofCluster = `cluster="$cluster",profile="$profile",` + ours
	ofLeader  = ofCluster + `,leader=~"$leader"`
	ofBroker  = `cluster="$cluster",` + ours + `,broker=~"$leader",broker!=""`
	ofClient  = `cluster="$cluster",` + ours
)

// How many lines a graph may have: what is worst over the time shown, and beside it the median of all.
const fewest = "8"

// How many rows of a table are seen without scrolling on the overview.
const rows = "6"

// worst keeps the few series that were highest at any time in the range shown, and the same ones over all of it. The subquery's step
// keeps it cheap over a month.
func worst(by, query string) string {
	return fill(`(<query>) and on (<by>) topk(<fewest>, max by (<by>) (max_over_time((<query>)[$__range:$__interval] @ end())))`,
		names{"by": by, "query": query, "fewest": fewest})
}

// show is a signal: what it is called, its unit, the query, how to read its result, and what to do when it is not as it should be.
func show(name string, unit signal.Unit, query, read, do string) signal.Signal {
	return signal.Signal{Name: name, Unit: unit, Query: single(query), Read: read, Do: do}
}

// Queries are written in full, with names for what is filled in: rate(kafka_canary_probes_total{<leader>}[1m]). Neither PromQL nor Grafana's variables
// look like that.
var placeholder = regexp.MustCompile(`<[a-z][a-z_]*>`)

// names are values by the names that stand for them in a query.
type names map[string]string

// matchers may be named by every query.
var matchers = names{"cluster": ofCluster, "leader": ofLeader, "broker": ofBroker, "site": ofSite, "client": ofClient, "application": ofApplication}

// fill is a query with these values, and with matchers, in the place of names. It panics where a name has no value, or a value is not used.
func fill(query string, values names) string {
	used := map[string]bool{}
	filled := placeholder.ReplaceAllStringFunc(query, func(found string) string {
		name := strings.Trim(found, "<>")
		used[name] = true
		if value, has := values[name]; has {
			return value
		}
		if value, has := matchers[name]; has {
			return value
		}
		panic(fmt.Sprintf("%s has no value in: %s", found, query))
	})
	for name := range values {
		if !used[name] {
			panic(fmt.Sprintf("<%s> has a value and is not used in: %s", name, query))
		}
	}
	return filled
}

// single is the query with each series it reads there once. Queries are written here, so a fault in one is the program's.
func single(query string) string {
	reduced, err := once.Of(fill(query, nil))
	if err != nil {
		panic(err)
	}
	return reduced
}

// worstLeader is a signal with one line for each leader, of the highest.
func worstLeader(name string, unit signal.Unit, query, read, do string) signal.Signal {
	return show(name, unit, worst("leader", query), read, do).Named("leader {{leader}}")
}

// percentileOf is a percentile of a histogram's observations in a window, for each value of the label (all in one where that is empty). It
// reads the native form, or the buckets of the classic one where Prometheus has no other.
func percentileOf(quantile, by, histogram, of, window string) string {
	buckets := "le"
	if by != "" {
		buckets = by + ", le"
	}
	return fill(`histogram_quantile(<quantile>, sum by (<by>) (rate(<histogram>{<of>}[<window>]))) or `+
		`histogram_quantile(<quantile>, sum by (<buckets>) (rate(<histogram>_bucket{<of>}[<window>])))`,
		names{"quantile": quantile, "by": by, "histogram": histogram, "of": of, "window": window, "buckets": buckets})
}

// Why something may be empty on a cluster that works.
const (
	nothingWrong   = "there was none, which is as it should be"
	needsMinutes   = "it is recorded every few minutes, or of five minutes: not yet in a stack that has just started"
	needsADay      = "there is no yesterday in the first day"
	needsGroup     = "only a client that commits to a consumer group has it"
	needsRebalance = "no consumer group has rebalanced in the last half minute, as it should be, or no client here is in one"
	needsTiered    = "only a broker with tiered storage has it"
	needsNodes     = "only where a node_exporter runs on the broker's host"
	needsAgent     = "only brokers with the Phasewise agent have it"
	needsFlush     = "Kafka leaves flushing to the operating system and flushes itself when a segment is rolled"
	onlyController = "only the active controller has it, and only while it writes"
)

// median of the leaders or brokers that the query gives one value for each.
func median(name, query string, unit signal.Unit) signal.Signal {
	return show(name, unit, "quantile(0.5, "+query+")",
		"Dashed: the one in the middle. It shows whether one leader moved, or all.",
		"If it moves, look for what they share. If it stays, look at the line that left it.")
}
