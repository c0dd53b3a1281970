// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"fmt"

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
	return fmt.Sprintf(`label_replace(%s, "site", "%s", "site", "")`, query, noSite)
}

// meanBy is the mean of a histogram's observations of the last minute, of either form, by labels.
func meanBy(by, histogram, matchers string) string {
	// Not histogram_avg: the oldest Prometheus that is supported does not know it.
	return fmt.Sprintf(`(histogram_sum(sum by (%[1]s) (rate(%[2]s{%[3]s}[1m]))) / histogram_count(sum by (%[1]s) (rate(%[2]s{%[3]s}[1m]))) or `+
		`sum by (%[1]s) (rate(%[2]s_sum{%[3]s}[1m])) / sum by (%[1]s) (rate(%[2]s_count{%[3]s}[1m])))`, by, histogram, matchers)
}

var (
	EndToEndBySite = signal.Signal{
		Name:   "End-to-end ${percentile:text} by site",
		Query:  namedSite(worst("site", percentileOf("$percentile", "site", rawEndToEnd, ofSite, "1m"))),
		Unit:   signal.Seconds,
		Legend: siteLegend,
		Read: "What clients at each site get, of the last minute, over all leaders (with many sites: the highest over the time shown). Of probes that came back: lost ones are in the share within target. " +
			probePoints,
		Do: "One site above the others: the way from there, or the canary's host there; the phases beside it say which way. All of them alike: the cluster, which " +
			"the overview takes apart.",
		Plausible: latency,
		Exemplars: true,
	}
	GoodBySite = signal.Signal{
		Name: "Within target by site, 5 min",
		Query: namedSite(fmt.Sprintf(`1 - (sum by (site) (rate(kafka_canary_slo_probes_total{%[1]s,verdict="bad"}[5m])) / sum by (site) (rate(kafka_canary_slo_probes_total{%[1]s}[5m])))`,
			ofSite)),
		Unit:   signal.Ratio,
		Legend: siteLegend,
		Read:   "The share of each site's probes that were delivered within the target. Alerts know the sum only: one site of three that misses all is a third of it.",
		Do:     "Where it is one site, tell who runs clients there; the alert's text names phase and leader of all sites together.",
	}
	PhasesBySite = signal.Signal{
		Name:   "Mean by phase and site",
		Query:  namedSite(withMirror(meanBy("site, phase", rawPhases, ofSite), meanBy("site", rawMirror, ofSite))),
		Unit:   signal.Seconds,
		Legend: "{{site}} {{phase}}",
		Read:   "Means of the last minute, which add up to the mean end to end of the site.",
		Do: "publish and fetch longer at one site: the way there and back. produce: the canary's host. commit belongs to the cluster and is about the same from everywhere; " +
			"catch_up is the consumer at that site.",
		Plausible: signal.Range{Low: 0, High: 60},
	}
	OneWayBySite = signal.Signal{
		Name:   "Network one-way delay by site",
		Query:  namedSite(worst("site", fmt.Sprintf(`max by (site) (kafka_canary_network_one_way_delay_seconds{%s,broker=~"$leader"})`, ofSite))),
		Unit:   signal.Seconds,
		Legend: siteLegend,
		Read:   "The way back to each site from the chosen broker that is farthest.",
		Do:     "It is what a site's latency cannot be below. If it rose, look at the path and not at Kafka.",
	}
	StallsBySite = signal.Signal{
		Name: "Canary's own stalls by site",
		Query: namedSite(fmt.Sprintf(`clamp_max(sum by (site) (rate(kafka_canary_stalled_probes_total{%[1]s}[1m])) / sum by (site) (rate(kafka_canary_probes_total{%[1]s}[1m])), 1)`,
			ofSite)),
		Unit:   signal.Ratio,
		Legend: siteLegend,
		Read:   "The share of a site's probes on whose way its canary's own process was paused for more than 20 ms: not Kafka's latency.",
		Do:     "Above a few per cent that canary's host is starved: do not believe its tail.",
	}
	ProbesBySite = signal.Signal{
		Name:   "Probes by site",
		Query:  namedSite(fmt.Sprintf(`sum by (site) (rate(kafka_canary_probes_total{%s}[$__rate_interval]))`, ofSite)),
		Unit:   signal.ProbesPerSec,
		Legend: siteLegend,
		Read:   "Probes that ended. It is each site's weight in everything that is recorded and alerted on.",
		Do:     "A site that is missing has no canary that is up, or none that is scraped. A site with a tenth of the probes has a tenth of the weight.",
	}
	LeadersBySite = signal.Signal{
		Name:   "End-to-end ${percentile:text} by site and leader",
		Query:  namedSite(worst("site, leader", percentileOf("$percentile", "site, leader", rawEndToEnd, ofSite+`,leader=~"$leader"`, "1m"))),
		Unit:   signal.Seconds,
		Legend: "{{site}} leader {{leader}}",
		Read:   "The highest over the time shown, of probes that came back. " + probePoints,
		Do:     "One leader from every site: that broker. Every leader from one site: the way there. One leader from one site: the path between the two.",

		Plausible: latency,
		Exemplars: true,
	}
)
