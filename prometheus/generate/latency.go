// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// A form is how Prometheus holds the canary's histograms: native (one sample is a whole histogram) or classic (one series for
// each bucket). Everything recorded from them has the same name and the same labels in both.
type form struct {
	name     string
	comment  string
	bucketBy string
	bucket   string
}

var (
	native = form{
		name:    "native",
		comment: "From native histograms: Prometheus 3.8 or newer, with scrape_native_histograms.\n",
	}
	classic = form{
		name:     "classic",
		comment:  "From classic histograms, for Prometheus 2.42 or newer: load either these or native/, never both.\n",
		bucketBy: ", le",
		bucket:   "_bucket",
	}
)

const latencyComment = `Latency of the canary's probes: percentiles, means of the phases and their shares.
Every series keeps cluster and profile, because percentiles of different client settings must not be mixed; several canaries that measure one
cluster are added up, which histograms allow.

Each window first records the rate of the histogram itself, and takes all percentiles from that: the rates are computed once, and a percentile that
is not recorded here can be had by anyone, e.g.
  histogram_quantile(0.98, kafka_canary:end_to_end_latency_seconds_by_cluster:rate5m)
Rules of a group run in order, so a percentile sees the rate recorded just before it. It asks for the newest sample only (last_over_time): for its usual
look-back of five minutes Prometheus would decode every histogram of that time. Where nothing was observed a percentile is NaN.
The rates hold only what came back. Percentiles end to end count what did not come back, too.
The means are recorded more often than the rest, in groups of their own: they cost little, and the alerts read them. The mean of a phase by leader and that
of all leaders are in one group, so both are of one instant: a notification shows both. Rules that take long for a hundred brokers have a group for each
phase. Percentiles by leader have groups of their own beside: they read the rate that was recorded last, up to one interval before.
`

// latency is the rule file of one form.
func latency(s settings, f form) ruleFile {
	file := ruleFile{path: "rules/" + f.name + "/kafka-canary.yml", source: "latency.go", comment: f.comment + latencyComment}
	for i, w := range s.Latency {
		suffix := string(w.Window)
		longest := i == len(s.Latency)-1
		of := func(metric string) histogram {
			return histogram{form: f, metric: "kafka_canary_" + metric + "_latency_seconds", record: "kafka_canary:" + metric + "_latency_seconds",
				window: suffix}
		}
		add := func(what string, interval duration, rules []rule) {
			file.groups = append(file.groups, group{name: "kafka-canary-" + what + "-" + suffix, interval: interval, rules: rules})
		}
		all := of("phase")
		all.by = ", phase"
		if longest {
			for _, phase := range phases {
				one := all
				one.phase = phase
				add("means-"+dashed(phase), w.Interval, one.means())
			}
			add("shares", w.Interval, all.shares())
		} else {
			add("means", w.Interval, slices.Concat(all.means(), all.shares()))
		}
		percentiles := func(what string, h histogram) {
			add(what, w.CostlyInterval, append(h.rates(), h.percentiles(h.byCluster(), w.CostlyInterval, s.Percentiles)...))
			add(what+"-by-leader", w.CostlyInterval, h.percentiles(h.byLeader(), w.CostlyInterval.plus(w.Interval), s.Percentiles))
		}
		whole, leaderBack := of("end_to_end"), w.CostlyInterval.plus(w.Interval)
		ratios := []rule{beyondRatio(beyondByLeader, "cluster, profile, leader", suffix).commented(beyondComment),
			beyondRatio(beyondByCluster, "cluster, profile", suffix)}
		add("end-to-end", w.CostlyInterval, slices.Concat(whole.rates(), ratios,
			whole.percentilesOfAll(whole.byCluster(), beyondByCluster, "cluster, profile", w.CostlyInterval, w.CostlyInterval, s.Percentiles)))
		add("end-to-end-by-leader", w.CostlyInterval,
			whole.percentilesOfAll(whole.byLeader(), beyondByLeader, "cluster, profile, leader", leaderBack, w.CostlyInterval, s.Percentiles))
		percentiles("producer", of("producer"))
		for _, phase := range phases {
			one := all
			one.phase = phase
			if longest {
				percentiles(dashed(phase), one)
			} else {
				add(dashed(phase), w.CostlyInterval, one.rates())
			}
		}
	}
	return file
}

// phases of a probe, in order.
var phases = []string{"produce", "publish", "commit", "catch_up", "fetch"}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// histogram is one of the canary's histograms over one window.
type histogram struct {
	form   form
	metric string
	record string
	window string
	// phase selects its series of that phase; all where it is empty.
	phase string
	// by is what it is split by beside cluster, profile and leader.
	by string
}

func (h histogram) matcher() string {
	if h.phase == "" {
		return ""
	}
	return `{phase="` + h.phase + `"}`
}

// recording is a rule for this histogram. Rules of several phases record one metric. Each sets the label phase, as promtool knows them apart by it only.
func (h histogram) recording(name, expr string) rule {
	r := recording(name, expr)
	if h.phase != "" {
		r = r.labelled("phase", h.phase)
	}
	return r
}

func (h histogram) byLeader() string  { return h.record + "_by_leader" }
func (h histogram) byCluster() string { return h.record + "_by_cluster" }

// canaries is the rate of the histogram or of its part (such as _sum), added up over all canaries and split by the labels `by`. Before that the samples of
// one canary, which several jobs may have scraped, become one for each value of the labels `each`.
func (h histogram) canaries(by, each, part string) string {
	return fill("sum by (<by>) (avg by (<each>, site, instance) (rate(<metric><of>[<window>])))",
		names{"by": by, "each": each, "metric": h.metric + part, "of": of(canaryJob, h.matcher()), "window": h.window})
}

func (h histogram) rates() []rule {
	leader, labels := h.byLeader()+":rate"+h.window, "cluster, profile, leader"+h.by+h.form.bucketBy
	return []rule{
		h.recording(leader, h.canaries(labels, labels, h.form.bucket)),
		h.recording(h.byCluster()+":rate"+h.window, fill("sum by (cluster, profile<by>) (<leaders><of>)",
			names{"by": h.by + h.form.bucketBy, "leaders": leader, "of": h.matcher()})),
	}
}

// percentiles of a recorded rate, by leader or by cluster. back is how old that rate may be.
func (h histogram) percentiles(name string, back duration, all []float64) []rule {
	var rules []rule
	for _, p := range all {
		rules = append(rules, h.recording(name+":quantile"+h.window,
			fill("histogram_quantile(<p>, last_over_time(<name>:rate<window><of>[<back>]))",
				names{"p": number(p), "name": name, "window": h.window, "of": h.matcher(), "back": string(back)})).
			labelled("quantile", number(p)))
	}
	return rules
}

// means are those of the phases, which add up to the mean end to end. They come from the histograms as scraped: Prometheus then reads sum and count and
// no bucket, which costs little, so that they can be recorded more often than the rates.
func (h histogram) means() []rule {
	var rules []rule
	for _, split := range h.splits() {
		name, by := split[0], split[1]
		// All labels of the histogram, so that several leaders of a canary are added up.
		all := func(part string) string { return h.canaries(by, "cluster, profile, leader"+h.by, part) }
		expr := "histogram_avg(" + all("") + ")"
		if h.form.bucket != "" {
			expr = all("_sum") + " / " + all("_count")
		}
		rules = append(rules, h.recording(name+":mean"+h.window, expr))
	}
	return rules
}

// shares are what the mean of each phase is of that of all: by leader, then by cluster.
func (h histogram) shares() []rule {
	var rules []rule
	for _, name := range []string{h.byLeader(), h.byCluster()} {
		rules = append(rules, recording(name+":share"+h.window, fill(
			"<phases>:mean<window> / ignoring (phase) group_left () sum without (phase) (<phases>:mean<window>)",
			names{"phases": name, "window": h.window})))
	}
	return rules
}

// splits are by leader and by cluster: what the series recorded are called, and their labels.
func (h histogram) splits() [][2]string {
	return [][2]string{{h.byLeader(), "cluster, profile, leader" + h.by}, {h.byCluster(), "cluster, profile" + h.by}}
}
