// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

const (
	endToEnd = "kafka_canary:end_to_end_latency_seconds"
	producer = "kafka_canary:producer_latency_seconds"
	phases   = "kafka_canary:phase_latency_seconds"

	// As the canary exports them: only these have exemplars.
	rawEndToEnd = "kafka_canary_end_to_end_latency_seconds"
	rawPhases   = "kafka_canary_phase_latency_seconds"
)

// Latencies are believable from the one to the other, in seconds: the canary's loss horizon.
const fastest, horizon = 1e-5, 60

// percentileNow is one percentile of the last minute, over all leaders: what a user of the cluster gets right now.
func percentileNow(name, quantile, offset, read, do string) signal.Signal {
	return show(name, signal.Seconds, fill(`<end_to_end>_by_cluster:quantile1m{<cluster>,quantile="<quantile>"}<offset>`,
		names{"end_to_end": endToEnd, "quantile": quantile, "offset": offset}), read, do).
		Within(fastest, horizon)
}

func yesterday(quantile string) signal.Signal {
	return percentileNow("yesterday", quantile, " offset 1d",
		"The same at this time yesterday: what is usual at this hour.",
		"Far above it: something changed since. Both high: it is not new.").OrEmpty(needsADay)
}

// Percentiles of the last minute and of the same minute yesterday.
var (
	P50 = []signal.Signal{percentileNow("p50 now", "0.5", "",
		"Half of the last minute's probes, lost ones counted as the slowest, took at most this long from being due to being returned by poll(): the usual case.",
		"If it rises on every leader look at the client, its host or the network; on one leader, at that broker or a follower of it."),
		yesterday("0.5")}
	P99 = []signal.Signal{percentileNow("p99 now", "0.99", "",
		"One probe in a hundred of the last minute took longer than this or never came back. +Inf: it is among those that were lost.",
		"If it rises while p50 stays, something stalls now and then: a follower, a log flush, a garbage collection. The matrix names phase and broker."),
		yesterday("0.99")}
	P999 = []signal.Signal{percentileNow("p99.9 now", "0.999", "",
		"One probe in a thousand of the last minute took longer than this or never came back. At 60 probes a second it rests on about four probes.",
		"Read its trend and not a single value; look for stalls in the heatmap."),
		yesterday("0.999")}
)

func byLeader(metric string) string {
	return fill(`<metric>_by_leader:quantile1m{<leader>,quantile="$percentile"}`, names{"metric": metric})
}

var (
	EndToEndByLeader = worstLeader("End-to-end ${percentile:text} by leader", signal.Seconds, byLeader(endToEnd),
		"One line for each broker, measured on a partition that it leads (with many brokers: the highest over the time shown). "+
			"Logarithmic: a step of one grid line is a factor of ten.",
		"One line above the others: that broker, or what it waits for. All but one: that one, as a follower of the others. "+
			"All: the client's host, the network, something that all share.").Within(fastest, horizon)
	EndToEndMedian = median("median leader", byLeader(endToEnd), signal.Seconds)

	SLOTarget = show("target", signal.Seconds, `max(kafka_canary_slo_target_seconds{<cluster>})`,
		"Dashed: the target. A probe within it is good.",
		"Set it in the canary (slo.target), to what your applications need and not to what Kafka happens to do.")

	ProducerByLeader = worstLeader("Producer ${percentile:text} by leader", signal.Seconds, byLeader(producer),
		"From the instant a probe was due to its acknowledgement: the wait for a free producer is in it. With acks=all so is the wait for the in-sync followers. Of acknowledged probes only.",
		"If it follows end-to-end latency the cause is on the way in: produce, publish or commit. If only end-to-end rises, look at the "+
			"consumer's side: catch_up and fetch.").Within(fastest, horizon)

	NowAgainstUsual = show("Mean by phase: now and usual", signal.Seconds,
		fill(`label_replace(<now>, "when", "now", "", "") or label_replace(<usual>, "when", "usual", "", "")`, names{
			"now": meanOf(phases), "usual": usual(phases+"_by_cluster", ofCluster)}),
		"Above, the last minute over all leaders, split into its phases; below, what is usual: the recorded baseline, a median of the last day (in the first hour of measuring: of the time so far). Without one there is no lower bar.",
		"The part that is longer above than below is the phase at fault. If all grew alike, look at what they share: the hosts' CPU, the network.").
		Named("{{when}} {{phase}}").Within(0, 60)

	ExcessMatrix = show("Slower than usual: which phase, on which leader", signal.Seconds,
		fill(`<excess> and on (leader) topk(<rows>, sum by (leader) (clamp_min(<excess>, 0)))`, names{"excess": excess(), "rows": rows}),
		"How much longer than usual each phase takes on the mean of the last minute, for each leader (with many brokers: the worst). "+
			"Uncoloured is usual, a dot is less than 1 ms; coloured is longer, the darker the worse.",
		"One row coloured: that broker. publish: the way to it, or its queues. commit in every row but one: that one holds the others up, as their follower, or the others are busy (then their publish is coloured too). "+
			"commit in every row: several brokers, or the disk of one; Produce local by broker names it. "+
			"catch_up in every row: the consumer. Another column alike: what all share. Click a leader to see its phases in detail.").
		Named("leader {{leader}} {{phase}}").Within(-60, 60)

	// The two forms of one histogram, of which a Prometheus has one: a classic one's series are its buckets.
	Heatmap        = heatmap(`le=""`, "", "a Prometheus without native histograms has the classic form")
	HeatmapBuckets = heatmap(`le!=""`, "{{le}}", "a Prometheus with native histograms has that form")

	Outcomes = show("Outcomes", signal.ProbesPerSec,
		`sum by (outcome) (rate(kafka_canary_probes_total{<leader>}[$__rate_interval]))`,
		"How probes ended. delivered: in time. late: after the deadline, still measured. lost: not seen within the horizon. send_failed: the producer gave up.",
		"Anything but delivered: look at under-replicated and offline partitions, then at the log of the leader.").Named("{{outcome}}")

	InFlight = worstLeader("Probes in flight by leader", signal.Count,
		`sum by (leader) (kafka_canary_probes_in_flight{<leader>})`,
		"Probes that were due and have no outcome yet: about rate times latency when all is well. A steady climb means that probes go out and do not come back.",
		"One leader alone: that broker or its partition. All of them: the client or the network.")

	CanaryStalls = show("Canary's own stalls", signal.Ratio,
		`clamp_max(sum(rate(kafka_canary_stalled_probes_total{<cluster>}[1m])) / sum(rate(kafka_canary_probes_total{<cluster>}[1m])), 1)`,
		"The share of probes during which the canary's own process was paused for more than 20 ms. A probe that takes seconds meets such a pause almost surely. So read this while latency is as usual; otherwise see which bad probes are the canary's own.",
		"Above a few per cent the canary's host is starved: give it CPU before you believe its tail.")

	CanarysOwn = show("Bad probes that are the canary's own", signal.Ratio,
		`sum(rate(kafka_canary_stalled_bad_probes_total{<cluster>}[5m])) / (sum(rate(kafka_canary_slo_probes_total{<cluster>,verdict="bad"}[5m])) > 0)`,
		"Of the bad probes of five minutes, the share that would have been good without the pauses of the canary's own process.",
		"Above a half the canary's host is starved, and alerts on latency are held back: give it processor time.").OrEmpty(nothingWrong)

	SlowTime = show("Where slow probes spend it", signal.Ratio,
		fill(`sum by (phase) (<seconds>) / on () group_left () (sum(<seconds>) > 0)`, names{"seconds": slowSeconds}),
		"Of the time of all slow probes, the share of each phase: what the tail is made of. Shares add up to 1; percentiles of phases do not.",
		"The largest share is the phase to work on. Empty: no probe was slow.").Named("{{phase}}").OrEmpty(nothingWrong)
	SlowTimeByLeader = worstLeader("Time in slow probes, by leader", signal.Seconds, "sum by (leader) ("+slowSeconds+")",
		"The latencies of slow probes added up, in seconds per second, by leader. Lost probes have no phases and are not in it.",
		"One line above the others: its probes make the tail. Choose that leader above, and see which phase grows.")

	ScheduleLag = show("Schedule lag p99", signal.Seconds, percentileOf("0.99", "", "kafka_canary_schedule_lag_seconds", ours, "1m"),
		"From when a probe was due until the canary handed it over. It counts as produce, because the client was slow.",
		"More than a few milliseconds: the canary lacks CPU, or all its lanes are busy (probe.lanes).")

	LaneWait = show("Lane wait, ${percentile:text}", signal.Seconds,
		percentileOf("$percentile", "", "kafka_canary_lane_wait_seconds", ofCluster, "1m"),
		"How long probes waited for a producer that was free. The wait is charged to the phase that the probe in front was in.",
		"If it is often above 0, raise probe.lanes: then more probes can be under way during a stall.").Named("lane wait")

	ClockUncertainty = worstBroker("Clock uncertainty", signal.Seconds,
		`max by (broker) (kafka_canary_clock_uncertainty_seconds{<broker>})`,
		"How uncertain the canary is about the broker's clock. Where publish ends and commit begins is known no better than this.",
		"Above 10 ms do not tell publish and commit apart; look for a clock that steps (chronyc tracking).")

	EstimateError = show("Error of estimated phases, mean", signal.Seconds,
		meanBy("phase, sign", "kafka_canary_phase_estimate_error_seconds", ofLeader),
		"How far the canary's own estimate is from what the leader reports of the same probes. Phases are shown as the leader reports them, where it does.",
		"Above 10 ms do not trust the phases of clusters without exporters: the estimate has met a path or a queue that it cannot distinguish from a slow commit.").
		Named("{{phase}} {{sign}}").OrEmpty(needsAgent)

	OneWayDelay = worstBroker("Network one-way delay", signal.Seconds,
		`max by (broker) (kafka_canary_network_one_way_delay_seconds{<broker>})`,
		"Estimated network delay from the broker to the canary: half the shortest round trip of a tiny request, plus any recent increase on the return path.",
		"If it rose as much as fetch the way back is slower; if publish rose and this did not, look at the way out, or at the broker. Compare zones; look at the path and at retransmissions. "+
			"If request_queue rose with it, it is not the network: a broker whose handlers are all busy answers a tiny request slowly, too.")
)

// slowSeconds are what slow probes spend in each phase.
const slowSeconds = `rate(kafka_canary_slow_probes_phase_seconds_total{` + ofLeader + `}[$__rate_interval])`

const probePoints = "A point is one probe, most often a slow one."

// EndToEndPoints are single probes of the chosen leaders, for a graph of their end-to-end latency.
func EndToEndPoints() signal.Signal { return probes(rawEndToEnd, ofLeader) }

// AllPoints are single probes over all leaders.
func AllPoints() signal.Signal { return probes(rawEndToEnd, ofCluster) }

// PhasePoints are single probes by one phase.
func PhasePoints(phase string) signal.Signal {
	return probes(rawPhases, ofLeader+`,phase="`+phase+`"`)
}

// probes gives exemplars and no series. Graphs read what is recorded, which has no exemplars; Prometheus looks for those by the selectors
// of a query, whatever offset they have. With an offset from before there was anything the query itself costs nothing and draws nothing.
func probes(histogram, of string) signal.Signal {
	return show("one probe", signal.Seconds,
		fill(`<histogram>{<of>} offset 10y or <histogram>_bucket{<of>} offset 10y`, names{"histogram": histogram, "of": of}),
		probePoints, "Point at it for its probe_id, which the canary's log and page know, and its trace_id where traces are on.").
		Within(fastest, horizon).WithExemplars().OrEmpty("it is asked for its exemplars only")
}

// heatmap's range is that of its values, probes a second; its unit is that of the bounds.
func heatmap(form, legend, empty string) signal.Signal {
	return show("End-to-end latency, all probes", signal.Seconds,
		// As recorded: adding up the histograms of 100 leaders for each pixel would take most of the dashboard's time.
		fill(`<end_to_end>_by_cluster:rate1m{<cluster>,<form>}`, names{"end_to_end": endToEnd, "form": form}),
		"Every probe by its latency, over all leaders: brighter is more probes. Two bands are two ways through the cluster, such as one slow broker; a faint band far up is what percentiles call the tail; vertical stripes are stalls.",
		"Match a band's beginning with the events (vertical lines), and with the line of a leader beside it.").Named(legend).Within(0, 1e6).OrEmpty(empty)
}

func meanOf(latency string) string {
	return fill(`<latency>_by_cluster:mean1m{<cluster>}`, names{"latency": latency})
}

// usual is the recorded baseline of each phase's mean. In the first hour of measuring it is the median of the time so far; later there is no
// such stand-in, because a fault that lasts would become usual.
func usual(latency, of string) string {
	return fill(`(<latency>:baseline1d{<of>} or (quantile_over_time(0.5, <latency>:mean5m{<of>}[30m]) `+
		`unless last_over_time(<latency>:mean5m{<of>}[1h] offset 1h)))`, names{"latency": latency, "of": of})
}

// excess of each phase over the usual, by leader.
func excess() string {
	return fill(`max by (leader, phase) (<latency>_by_leader:mean1m{<leader>} - <usual>)`, names{"latency": phases, "usual": usual(phases+"_by_leader", ofLeader)})
}

// Phases of a probe, in order.
var Phases = []string{"produce", "publish", "commit", "catch_up", "fetch"}

var phaseWords = map[string][2]string{
	"produce":  {"from due to handed to the network.", "Grown: linger.ms, a full buffer, the canary's own host; or no leader was known: look at leader changes before you suspect the client."},
	"publish":  {"to appended by the leader: network, its queues, the log's lock, failed attempts. Where the leader's mark reports it, the leader's own write, too.", "Grown: busy request handlers, the network, requests that failed, the leader's disk."},
	"commit":   {"to on every in-sync replica: the followers. Where the append is estimated, the leader's own write, too.", "Grown: a disk, or the slowest follower: of the brokers in the matrix, the one whose own commit has not grown."},
	"catch_up": {"to reached by the consumer.", "Grown: the consumer lags."},
	"fetch":    {"to returned by poll(): the way back.", "Grown: fetch.min.bytes, the response queue, the network."},
}

// MeansByPhase are the means of the phases over all leaders, in order: they add up to the mean end-to-end latency. Those of chosen
// leaders are in the drill-down; here they are as recorded, which costs next to nothing with 100 of them.
func MeansByPhase() []signal.Signal {
	var all []signal.Signal
	for _, phase := range Phases {
		all = append(all, show(phase, signal.Seconds, fill(`kafka_canary:phase_latency_seconds_by_cluster:mean1m{<cluster>,phase="<phase>"}`, names{"phase": phase}),
			phaseWords[phase][0], phaseWords[phase][1]))
	}
	return all
}

// PhaseByLeader is a percentile of one phase, by leader: what the canary saw.
func PhaseByLeader(phase string) signal.Signal {
	query := phaseQuery(phase)
	lines := "One line above the others: that broker. All lines: something that they share."
	if phase == "commit" {
		lines = "All lines but one: the broker of that one, as a follower of the others. One line: that leader, or the network from it. All lines: something that they share."
	}
	return worstLeader(phase+", ${percentile:text} by leader", signal.Seconds, query,
		"What the canary saw of "+phase+" in the last minute, for each leader.",
		lines+" The panels beside it say what the brokers and the clients know about it.")
}

// PhaseMedian is the leader in the middle.
func PhaseMedian(phase string) signal.Signal {
	return median("median leader", phaseQuery(phase), signal.Seconds)
}

func phaseQuery(phase string) string {
	return fill(`max by (leader) (histogram_quantile($percentile, kafka_canary:phase_latency_seconds_by_leader:rate1m{<leader>,phase="<phase>"}))`, names{"phase": phase})
}

// PhaseMean is the mean of one phase by leader: the means of the five add up.
func PhaseMean(phase string) signal.Signal {
	return worstLeader(phase+", mean by leader", signal.Seconds,
		fill(`max by (leader) (kafka_canary:phase_latency_seconds_by_leader:mean1m{<leader>,phase="<phase>"})`, names{"phase": phase}),
		"The mean of "+phase+" in the last minute: its part of the mean end-to-end latency.",
		"Compare its height with the other phases' before you work on it: the longest is worth most.")
}
