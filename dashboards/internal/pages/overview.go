// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

// The share of the excess that is worth a colour, in seconds: a millisecond is noise, a hundred is a page.
var excessSteps = []board.Threshold{{At: 0.003, Colour: "#F2B84B"}, {At: 0.010, Colour: "#E07B00"}, {At: 0.050, Colour: "#B8301C"}}

// overview is the first screen: one glance says whether Kafka is slow, in which phase, and on which broker. It fits
// 1080p without scrolling.
func overview() board.Dashboard {
	latencySteps := []board.Threshold{{At: 0.050, Colour: board.Warning}, {At: 0.200, Colour: board.Bad}}
	tile := func(title string, s []signal.Signal) board.Stat {
		return board.Stat{Title: title, Signals: s, Base: board.Good, Thresholds: latencySteps}
	}
	return page(overviewUID, "Kafka latency overview",
		"Is Kafka slow, in which phase, on which broker? Read from left to right and from top to bottom.", "30m",
		row("", 4,
			board.Stat{
				Signals: []signal.Signal{signals.GoodProbes}, Base: board.Bad, Filled: true,
				Thresholds: []board.Threshold{{At: 0.95, Colour: board.Warning}, {At: 0.99, Colour: board.Good}},
			},
			board.Stat{
				Signals: []signal.Signal{signals.BudgetLeft}, WhenNone: "in 5 min",
				Thresholds: []board.Threshold{{At: -1e6, Colour: board.Bad}, {At: 0, Colour: board.Warning}, {At: 0.25, Colour: board.Good}},
			},
			board.Stat{
				Title: "Burn rate", Signals: []signal.Signal{signals.BurnRate("5m"), signals.BurnRate("1h")}, Base: board.Good,
				Thresholds: []board.Threshold{{At: 1, Colour: board.Warning}, {At: 14.4, Colour: board.Bad}},
			},
			board.Wide{Width: 2, Panel: tile("p50", signals.P50)},
			tile("p99", signals.P99),
			tile("p99.9", signals.P999),
			board.Wide{Width: 3, Panel: zero(signals.BrokersDown)},
			board.Wide{Width: 4, Panel: zero(signals.UnderReplicatedNow)},
		),
		row("", 2,
			board.Stat{
				Signals: []signal.Signal{signals.SuspectNow}, Named: true, Words: []string{"nobody"}, Unknown: "not known", Base: board.Warning,
				Thresholds: []board.Threshold{{At: -0.5, Colour: board.Good}, {At: 0.001, Colour: board.Warning}},
			},
		),
		row("", 8,
			board.Wide{Width: 6, Panel: board.Trend{Title: "Where the time goes: means of the phases", Signals: signals.MeansByPhase(), Stacked: true}},
			board.Wide{Width: 6, Panel: board.Trend{Title: "Whose time it was: means by broker and role", Signals: signals.WhoseTime(), Stacked: true}},
			board.Wide{Width: 4, Panel: board.Bars{Signal: signals.NowAgainstUsual, Bar: "when", Part: "phase", Parts: signals.Phases}},
			board.Matrix{
				Signal: signals.ExcessMatrix, Row: "leader", Cell: "phase",
				Columns:    signals.Phases,
				Thresholds: excessSteps, Slight: 0.001, RowLink: drillDownUID, RowVariable: "leader",
			},
		),
		row("", 6,
			withPoints(latency(signals.EndToEndByLeader, signals.EndToEndMedian, signals.SLOTarget), signals.EndToEndPoints()),
			board.Heat{Signal: signals.Heatmap, Buckets: signals.HeatmapBuckets, Points: signals.AllPoints(), CellUnit: signal.ProbesPerSec},
		),
		row("", 5,
			board.Wide{Width: 4, Panel: share(signals.HandlerIdle)},
			board.Wide{Width: 4, Panel: trend(signals.ReplicaLag)},
			board.Wide{Width: 5, Panel: trend(signals.RecordsLag)},
			board.List{
				Signals: []signal.Signal{signals.Firing}, Columns: []string{"alertname", "severity", "leader", "broker"},
				Headings: []string{"for"}, WhenNone: "Nothing is firing",
			},
		),
	)
}
