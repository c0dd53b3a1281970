// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

// phase is one row of the drill-down.
type phase struct {
	name, from string
	// What the brokers and the clients say about it.
	others []board.Panel
	causes string
}

var phaseRows = []phase{
	{
		name: "produce", from: "due, to handed to the network",
		others: []board.Panel{
			trend(signals.QueueTime), trend(signals.BufferWait), trend(signals.LaneWait), trend(signals.CanaryStalls),
		},
		causes: `- **linger.ms** above 0: it is waited for, by design
- **buffer.memory** full: the brokers take less than is sent; see commit
- **no leader** known or reachable: leader changes
- the canary's own host: stalls above a few per cent

*All leaders alike: the client. One leader: was it without one?*`,
	},
	{
		name: "publish", from: "handed to the network, to appended by the leader",
		others: []board.Panel{
			trend(signals.OneWayDelay), trend(signals.RequestMean("Produce", "request_queue")), trend(signals.RequestMean("Produce", "local")),
			share(signals.HandlerIdle), trend(signals.LogFlush),
		},
		causes: `- **network** to the leader: the brokers' panels stay calm (one-way delay is the way *back*)
- **num.io.threads** busy: request_queue, idle below 30 %
- **num.network.threads** busy: TLS
- the log's **lock**: another request's slow write; its own, too, where the leader's mark reports the append
- **failed attempts** (*records sent again*, clients dashboard)
- the broker's CPU, a collection

*Queue and idle move together: load.*`,
	},
	{
		name: "commit", from: "appended, to on every in-sync replica",
		others: []board.Panel{
			trend(signals.HeldBack), trend(signals.AppendTime), trend(signals.RequestMean("Produce", "remote")), trend(signals.FollowerFetchWork),
			trend(signals.ReplicaLag),
		},
		causes: `- a **disk**: *append* up on one broker, commit on all others; its own, too, where the append is estimated
- one **slow follower**: every other leader waits for it, it alone does not
- **num.replica.fetchers** too few for the partitions
- the follower's disk, CPU, collections, network
- **replication factor**, distance between zones
- followers leave the in-sync set: latency falls, safety too

*Slow on all leaders but one: it is that one, or the others are busy themselves.*`,
	},
	{
		name: "catch_up", from: "committed, to reached by the consumer",
		others: []board.Panel{
			trend(signals.RecordsLag), trend(signals.PollGap), share(signals.PollIdle), trend(signals.ConsumedRecords),
		},
		causes: `- the consumer is **slower than its input**: lag grows
- long work **between polls**: time between polls
- **max.poll.records** too large for the work
- a **rebalance**, a restart
- a **quota** on the consumer

*Idle near 0: the application. Idle high and lag: fetches (fetch.max.bytes).*`,
	},
	{
		name: "fetch", from: "reached, to returned by poll()",
		others: []board.Panel{
			trend(signals.OneWayDelay), trend(signals.RequestMean("FetchConsumer", "response_queue")),
			trend(signals.RequestMean("FetchConsumer", "response_send")), trend(signals.FetchLatencyAvg),
		},
		causes: `- **fetch.min.bytes** above 1 with **fetch.max.wait.ms**: waited for, by design
- **num.network.threads** busy: response_queue
- a slow reader or a full network: response_send
- **network** back: one-way delay
- old data: read from disk, or from the remote store

*remote of FetchConsumer is the long poll: no latency.*`,
	},
}

// drillDown has one row for each phase: from left to right what the canary saw, what brokers and clients say, and likely causes.
func drillDown() board.Dashboard {
	var rows []board.Row
	for _, p := range phaseRows {
		// With fewer panels beside it there is room for the clients' long names.
		width := uint32(5)
		if len(p.others) < 5 {
			width = 4
		}
		panels := []board.Panel{board.Wide{Width: width, Panel: withPoints(latency(signals.PhaseByLeader(p.name), signals.PhaseMedian(p.name)), signals.PhasePoints(p.name))}}
		panels = append(panels, p.others...)
		panels = append(panels, board.Wide{Width: 4, Panel: board.Text{Title: "Likely causes", Content: p.causes}})
		rows = append(rows, row(p.name+": "+p.from, 9, panels...))
	}
	means := board.Row{Title: "Means, which add up", Height: 6}
	for _, p := range phaseRows {
		means.Panels = append(means.Panels, trend(signals.PhaseMean(p.name)))
	}
	split := board.Row{Title: "Whose time each phase was: means by broker and role, which add up to the means above", Height: 8}
	for _, p := range phaseRows {
		split.Panels = append(split.Panels, whose(p.name))
	}
	slow := row("Slow probes: those over the target", 7,
		board.Trend{Title: signals.SlowTime.Name, Signals: []signal.Signal{signals.SlowTime}, Stacked: true},
		trend(signals.SlowTimeByLeader), share(signals.CanarysOwn))
	return page(drillDownUID, "Kafka phase drill-down",
		"One row for each phase of a probe, in order: what the canary saw, what brokers and clients say, what it usually is.", "30m",
		append([]board.Row{slow}, append(rows, means, split)...)...)
}
