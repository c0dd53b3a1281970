// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

func clients() board.Dashboard {
	return page(clientsUID, "Kafka clients",
		"What Kafka's own client metrics say: those that applications' clients push to the brokers, those of the canary's clients, and of any application that exports them by the same names.", "30m",
		row("", 3, board.Stat{Signals: []signal.Signal{signals.PushingNow}, WhenNone: "none yet: ./phasewise telemetry enable --execute"}),
		collapsed("Applications' producers, as they push it", 7, trend(signals.PushedRequest), trend(signals.PushedRequestMax), trend(signals.PushedQueueTime), trend(signals.PushedSocketQueue),
			trend(signals.PushedBatchSize), trend(signals.PushedRetries), trend(signals.PushedErrors)),
		collapsed("Applications' consumers, as they push it", 7, trend(signals.PushedLag), trend(signals.PushedFetch), share(signals.PushedIdle),
			trend(signals.PushedCommit), trend(signals.PushedRebalances), trend(signals.PushedClients)),
		row("Producers: latency", 7, trend(signals.RequestLatencyAvg), trend(signals.RequestLatencyMax), trend(signals.QueueTime), trend(signals.BufferWait), trend(signals.ProduceThrottle)),
		row("Producers: batching and errors", 7, trend(signals.SendRate), trend(signals.BatchSizeAvg), trend(signals.RecordsPerRequest), trend(signals.ErrorRateProducer), trend(signals.RetryRate), trend(signals.InFlightRequests)),
		row("Consumers: latency and lag", 7, trend(signals.RecordsLag), trend(signals.FetchLatencyAvg), trend(signals.FetchLatencyMax), trend(signals.PollGap), share(signals.PollIdle)),
		row("Consumers: throughput and groups", 7, trend(signals.ConsumedRecords), trend(signals.ConsumedBytes), trend(signals.FetchThrottle), trend(signals.CommitLatencyAvg), trend(signals.RebalanceMax)),
		row("What it adds up to", 7, latency(signals.ProducerByLeader), trend(signals.Outcomes), trend(signals.InFlight), compared(signals.BadByLeader, signals.AllowedBad)),
	)
}

func capacity() board.Dashboard {
	return page(capacityUID, "Kafka capacity review",
		"Thirty days: how latency goes with load, how much is left, and where the knee is.", "30d",
		row("", 4, board.Stat{Signals: []signal.Signal{signals.Headroom}, Base: board.Bad, Thresholds: []board.Threshold{{At: 1, Colour: board.Warning}, {At: 1.5, Colour: board.Neutral}}}, board.Stat{Signals: []signal.Signal{signals.Growth}, WhenNone: "in 8 days"}, called("Busiest broker's handlers", count(signals.BusiestHandlers, board.Threshold{At: 0.7, Colour: board.Bad})),
			called("Load", count(signals.Load)), count(signals.Partitions)),
		row("Latency; its intervals are in the capacity review (./phasewise report)", 9, latency(signals.P50Long), latency(signals.P99Long), latency(signals.P999Long)),
		row("Load and latency", 10,
			board.Scatter{Title: "p99 against load", X: signals.Load, Y: []signal.Signal{signals.P99Long}},
			board.Scatter{Title: "Queue time against utilisation: measured, and what the model expects", X: signals.BusiestHandlers, Y: []signal.Signal{signals.QueueTime1m, signals.Sakasegawa}}),
		row("Growth and balance", 9, board.Trend{Title: "Load", Signals: []signal.Signal{signals.Load}},
			board.Trend{Title: "Busiest broker's handlers", Signals: []signal.Signal{signals.BusiestHandlers}},
			board.Wide{Width: 10, Panel: board.List{
				Title: "Replicas on a broker, against its latency", Signals: []signal.Signal{signals.LeaderPartitions, signals.LeaderP99, signals.LeaderUtilisation},
				Columns: []string{"leader"}, Headings: []string{"replicas", "p99", "busy"}, SortBy: "p99",
			}}),
	)
}

func fleet() board.Dashboard {
	return page(fleetUID, "Kafka fleet",
		"Every cluster that the canaries measure, the worst first.", "6h",
		row("", 10,
			board.Wide{Width: 15, Panel: board.List{
				Title:   "Clusters, worst first",
				Signals: []signal.Signal{signals.FleetP99, signals.FleetBudget, signals.FleetBurn, signals.FleetBrokers},
				Columns: []string{"cluster", "profile"}, Headings: []string{"p99, 5 min", "budget left", "burn 1h", "brokers"}, SortBy: "burn 1h",
				Thresholds: map[string][]board.Threshold{
					signals.FleetP99.Name:  {{At: 0.05, Colour: "#E07B00"}, {At: 0.2, Colour: "#B8301C"}},
					signals.FleetBurn.Name: {{At: 1, Colour: "#E07B00"}, {At: 14.4, Colour: "#B8301C"}},
				},
			}},
			board.List{Signals: []signal.Signal{signals.FleetVersions}, Columns: []string{"cluster", "version"}, Headings: []string{"brokers"}}),
		row("", 9, latency(signals.FleetTrend),
			board.List{
				Signals: []signal.Signal{signals.FleetAlerts}, Columns: []string{"cluster", "alertname", "severity"}, Headings: []string{"how many"},
				WhenNone: "Nothing is firing",
			}),
	)
}

// A phase that takes this long, in seconds, is worth a colour whatever is usual: ten milliseconds are a network of a region, two hundred another continent.
var phaseSteps = []board.Threshold{{At: 0.010, Colour: "#F2B84B"}, {At: 0.050, Colour: "#E07B00"}, {At: 0.200, Colour: "#B8301C"}}

// sites is the one page with a variable for where canaries stand: what is recorded knows no sites, so elsewhere it would choose nothing.
func sites() board.Dashboard {
	d := page(sitesUID, "Kafka sites",
		"Is it slow from everywhere, or from one site? What canaries at several sites measure of one cluster, side by side.", "30m",
		row("", 9, latency(signals.EndToEndBySite, signals.SLOTarget), share(signals.GoodBySite)),
		row("", 9,
			board.Matrix{Signal: signals.PhasesBySite, Row: "site", Cell: "phase", Columns: signals.Phases, Thresholds: phaseSteps},
			latency(signals.LeadersBySite)),
		row("", 7, trend(signals.OneWayBySite), share(signals.StallsBySite), trend(signals.ProbesBySite)),
	)
	d.Variables = append(d.Variables, board.Variable{
		Name: "site", Label: "Site", Multi: true,
		Query:       `label_values(kafka_canary_slo_objective_ratio{cluster="$cluster"}, site)`,
		Description: "Where canaries stand (canary.site); all of them, also those without a name",
	})
	return d
}

// called gives a panel a title where its signal's name is one for an axis.
func called(title string, s board.Stat) board.Stat {
	s.Title = title
	return s
}
