// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

// anatomy is what a broker does with requests: kinds of request by phases.
func anatomy() board.Dashboard {
	requests := []string{"Produce", "FetchConsumer", "FetchFollower"}
	split := row("Where brokers spend their time", 7)
	for _, request := range requests {
		s := signals.RequestSplit(request)
		split.Panels = append(split.Panels, board.Trend{Title: s.Name, Signals: []signal.Signal{s}, Stacked: true})
	}
	rows := []board.Row{
		row("Queues and threads", 7,
			share(signals.HandlerIdle), share(signals.NetworkIdle), trend(signals.RequestQueue), trend(signals.ResponseQueue)),
		split,
	}
	for _, request := range requests {
		percentiles := row(request+", by percentile: the agent's histograms", 6)
		for _, phase := range append(signals.RequestPhases, "total") {
			percentiles.Panels = append(percentiles.Panels, trend(signals.RequestPercentile(request, phase)))
		}
		rows = append(rows, percentiles)
	}
	rows = append(rows,
		row("Purgatory, throttling, errors", 7,
			trend(signals.PurgatoryProduce), trend(signals.PurgatoryFetch), trend(signals.RequestMean("Produce", "throttle")),
			trend(signals.RequestRate), trend(signals.ErrorRate), trend(signals.FailedRequests)),
		row("Traffic and connections", 7,
			trend(signals.BytesIn), trend(signals.BytesOut), trend(signals.MessagesIn), trend(signals.Connections),
			trend(signals.ConnectionRate), trend(signals.FailedAuthentication)),
		row("Means, where there is no agent", 7,
			trend(signals.RequestMean("Produce", "request_queue")), trend(signals.RequestMean("Produce", "local")),
			trend(signals.RequestMean("Produce", "remote")), trend(signals.RequestMean("Produce", "total")),
			trend(signals.LogFlush), board.Stat{Signals: []signal.Signal{signals.TimingActive}, WhenNone: "no agent"},
			board.Stat{Signals: []signal.Signal{signals.AgentsReached}, WhenNone: "no agent"}),
	)
	return page(anatomyUID, "Kafka broker request anatomy",
		"What brokers do with produce and fetch requests. The remote time of a fetch is long-poll waiting: it is not latency.", "30m", rows...)
}

func replication() board.Dashboard {
	return page(replicationUID, "Kafka replication and ISR",
		"Whether every replica follows, and which one does not: what commit is made of.", "1h",
		row("", 4, zero(signals.UnderReplicatedNow), zero(signals.UnderMinISRNow),
			count(signals.AtMinISRNow, board.Threshold{At: 1, Colour: board.Warning}), zero(signals.OfflineReplicasNow),
			zero(signals.OfflinePartitions), count(signals.Reassigning, board.Threshold{At: 1, Colour: board.Warning})),
		row("", 4, board.List{
			Signals: []signal.Signal{signals.NextStep}, Columns: []string{"who", "next"}, Headings: []string{"waits"}, SortBy: "waits", WhenNone: "Nobody is slow",
		}),
		row("Who lags", 8, trend(signals.UnderReplicated), trend(signals.ReplicaLag), latency(signals.PhaseByLeader("commit"), signals.PhaseMedian("commit")),
			trend(signals.Suspects)),
		row("Who waits for whom: a slow disk is a column, a slow leader a row, a slow path a cell", 8,
			board.Matrix{Signal: signals.Acknowledged, Row: "broker", Heading: "leader", Cell: "follower", Thresholds: phaseSteps},
			board.Matrix{Signal: signals.AcknowledgedPercentile, Row: "broker", Heading: "leader", Cell: "follower", Thresholds: phaseSteps},
			board.Wide{Width: 10, Panel: board.Matrix{Signal: signals.Paths, Row: "canary", Cell: "broker", Thresholds: phaseSteps, RowWidth: 150}}),
		row("Whose time it was: means by broker and role", 8, whose("publish"), whose("commit"), whose("fetch")),
		row("What leaders saw of the canary's records", 7, trend(signals.HeldBack), trend(signals.AppendTime)),
		row("In-sync sets", 7, trend(signals.ISRShrinks), trend(signals.ISRExpands), trend(signals.FailedISRUpdates), trend(signals.ProduceExpired)),
		row("Fetching", 7, trend(signals.ReplicationIn), trend(signals.ReplicationOut), trend(signals.FetcherFailures), trend(signals.DeadFetchers)),
		row("Balance", 7, trend(signals.LeaderCount), trend(signals.PartitionCount), trend(signals.RequestMean("FetchFollower", "local")), trend(signals.LateTransactions)),
	)
}

func kraft() board.Dashboard {
	return page(kraftUID, "Kafka KRaft and cluster",
		"Whether the quorum works, and whether every broker acts on the newest metadata.", "1h",
		row("", 4,
			board.Stat{
				Signals: []signal.Signal{signals.ActiveControllers}, Base: board.Bad,
				Thresholds: []board.Threshold{{At: 1, Colour: board.Good}, {At: 2, Colour: board.Bad}},
			},
			zero(signals.OfflinePartitions), count(signals.ActiveBrokers), zero(signals.FencedBrokers), zero(signals.UncleanElections),
			count(signals.Imbalance, board.Threshold{At: 1, Colour: board.Warning}), count(signals.Topics), count(signals.Partitions)),
		row("Metadata", 7, trend(signals.MetadataLag), trend(signals.HighWatermark), trend(signals.MetadataErrors), trend(signals.SnapshotAge)),
		row("Quorum", 7, board.List{Signals: []signal.Signal{signals.QuorumRole}, Columns: []string{"broker", "state"}, Headings: []string{"epoch"}, SortBy: "state"},
			trend(signals.QuorumEpoch), trend(signals.CommitLatency), trend(signals.ElectionLatency), share(signals.RaftIdle)),
		row("Controller", 7, trend(signals.EventQueue), trend(signals.AppendRate), trend(signals.Heartbeats), trend(signals.LeaderCount)),
	)
}

func tieredStorage() board.Dashboard {
	return page(tieredUID, "Kafka tiered storage",
		"Copies of closed segments in a remote store: whether they get there, and what reads from it. Where tiered storage is off, the first line says so; open the rows below where it is on.", "6h",
		row("", 3, board.Stat{Signals: []signal.Signal{signals.TieredBrokers}, WhenNone: "off: no broker here has tiered storage"}),
		collapsed("To the store", 8, trend(signals.RemoteCopyLag), trend(signals.RemoteCopySegments), trend(signals.RemoteCopyBytes)),
		collapsed("From the store", 8, trend(signals.RemoteFetchBytes), share(signals.RemoteReaderIdle), trend(signals.RemoteReaderQueue)),
		collapsed("Errors and deletes", 8, trend(signals.RemoteErrors), trend(signals.RemoteDeleteLag)),
	)
}

func hostAndJVM() board.Dashboard {
	return page(hostUID, "Kafka host and JVM",
		"What brokers stand on: processor, memory, collections, files, and the host where a node_exporter runs on it.", "1h",
		row("Brokers' JVMs", 7, trend(signals.ProcessCPU), share(signals.HeapUsed), trend(signals.GCShare), trend(signals.GCMean)),
		row("", 6, share(signals.OpenFiles), trend(signals.Threads), trend(signals.Uptime), trend(signals.LogFlush)),
		row("Hosts (node_exporter): processor and memory", 7, share(signals.HostCPU), trend(signals.HostSteal), trend(signals.HostLoad), share(signals.HostMemory), trend(signals.HostSwap)),
		row("Hosts (node_exporter): disk", 7, share(signals.DiskBusy), trend(signals.DiskLatency), trend(signals.DiskBytes), trend(signals.DiskRead)),
		row("Hosts (node_exporter): network", 7, trend(signals.NetworkReceived), trend(signals.NetworkBytes), trend(signals.NetworkRetransmits)),
		row("The canary itself", 6, trend(signals.CanaryCPU), trend(signals.Hiccups), trend(signals.ScheduleLag), trend(signals.CanaryStalls), share(signals.CanarysOwn), trend(signals.ClockUncertainty), trend(signals.EstimateError)),
	)
}
