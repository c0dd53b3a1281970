// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

// What is recorded adds the sites of a cluster up, so this reads what the canaries export. "All" sites match a canary without the label, too.
const (
	ofSite     = ofCluster + `,site=~"$site"`
	noSite     = "no site"
	siteLegend = "{{site}}"
)

// namedSite calls what has no site so: an empty legend is none.
func namedSite(query string) string {
	return fill(`label_replace(<query>, "site", "<none>", "site", "")`, names{"query": query, "none": noSite})
}

// meanBy is the mean of a histogram's observations of the last minute, of either form, by labels.
func meanBy(by, histogram, of string) string {
	// Not histogram_avg: the oldest Prometheus that is supported does not know it.
	return fill(`(histogram_sum(sum by (<by>) (rate(<histogram>{<of>}[1m]))) / histogram_count(sum by (<by>) (rate(<histogram>{<of>}[1m]))) or `+
		`sum by (<by>) (rate(<histogram>_sum{<of>}[1m])) / sum by (<by>) (rate(<histogram>_count{<of>}[1m])))`, names{"by": by, "histogram": histogram, "of": of})
}

var (
	EndToEndBySite = show("End-to-end ${percentile:text} by site", signal.Seconds,
		namedSite(worst("site", percentileOf("$percentile", "site", rawEndToEnd, ofSite, "1m"))),
		"What clients at each site get, of the last minute, over all leaders (with many sites: the highest over the time shown). Of probes that came back: lost ones are in the share within target. "+
			probePoints,
		"One site above the others: the way from there, or the canary's host there; the phases beside it say which way. All of them alike: the cluster, which "+
			"the overview takes apart.").Named(siteLegend).Within(fastest, horizon).WithExemplars()
	GoodBySite = show("Within target by site, 5 min", signal.Ratio,
		namedSite(`1 - (sum by (site) (rate(kafka_canary_slo_probes_total{<site>,verdict="bad"}[5m])) / sum by (site) (rate(kafka_canary_slo_probes_total{<site>}[5m])))`),
		"The share of each site's probes that were delivered within the target. Alerts know the sum only: one site of three that misses all is a third of it.",
		"Where it is one site, tell who runs clients there; the alert's text names phase and leader of all sites together.").Named(siteLegend)
	PhasesBySite = show("Mean by phase and site", signal.Seconds,
		namedSite(meanBy("site, phase", rawPhases, ofSite)),
		"Means of the last minute, which add up to the mean end to end of the site.",
		"publish and fetch longer at one site: the way there and back. produce: the canary's host. commit belongs to the cluster and is about the same from everywhere; "+
			"catch_up is the consumer at that site.").Named("{{site}} {{phase}}").Within(0, 60)
	OneWayBySite = show("Network one-way delay by site", signal.Seconds,
		namedSite(worst("site", `max by (site) (kafka_canary_network_one_way_delay_seconds{<site>,broker=~"$leader"})`)),
		"The way back to each site from the chosen broker that is farthest.",
		"A site's latency cannot be shorter than this. If it rose, look at the path and not at Kafka.").Named(siteLegend)
	StallsBySite = show("Canary's own stalls by site", signal.Ratio,
		namedSite(`clamp_max(sum by (site) (rate(kafka_canary_stalled_probes_total{<site>}[1m])) / sum by (site) (rate(kafka_canary_probes_total{<site>}[1m])), 1)`),
		"The share of a site's probes on whose way its canary's own process was paused for more than 20 ms: not Kafka's latency.",
		"Above a few per cent that canary's host is starved: do not believe its tail.").Named(siteLegend)
	ProbesBySite = show("Probes by site", signal.ProbesPerSec,
		namedSite(`sum by (site) (rate(kafka_canary_probes_total{<site>}[$__rate_interval]))`),
		"Probes that ended. It is each site's weight in everything that is recorded and alerted on.",
		"A site that is missing has no canary that is up, or none that is scraped. A site with a tenth of the probes has a tenth of the weight.").
		Named(siteLegend)
	LeadersBySite = show("End-to-end ${percentile:text} by site and leader", signal.Seconds,
		namedSite(worst("site, leader", percentileOf("$percentile", "site, leader", rawEndToEnd, ofSite+`,leader=~"$leader"`, "1m"))),
		"The highest over the time shown, of probes that came back. "+probePoints,
		"One leader from every site: that broker. Every leader from one site: the way there. One leader from one site: the path between the two.").
		Named("{{site}} leader {{leader}}").Within(fastest, horizon).WithExemplars()
)
