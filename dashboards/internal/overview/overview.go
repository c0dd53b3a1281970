// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package overview is the first screen: is Kafka slow, and on which broker. It fits a 1080p display without scrolling. Why a
// broker is slow is left to the dashboards it links to.
package overview

import (
	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
)

// File is the name of the generated file.
const File = "kafka-latency-overview.json"

// Dashboard is the overview as data; building it has no effect on anything.
func Dashboard() board.Dashboard {
	one := 1.0
	return board.Dashboard{
		UID:         "kafka-latency-overview",
		Title:       "Kafka latency overview",
		Description: "Is Kafka slow, and on which broker? Measured end to end by a canary through every broker.",
		Tags:        []string{"kafka", "latency", "phasewise"},
		Refresh:     "5s",
		From:        "15m",
		Variables: []board.Variable{
			{
				Name: "cluster", Label: "Cluster",
				Query:       `label_values(kafka_canary_probes_scheduled_total, cluster)`,
				Description: "The Kafka cluster, as the canary's configuration calls it",
			},
			{
				Name: "profile", Label: "Profile", First: "default",
				Query:       `label_values(kafka_canary_probes_scheduled_total{cluster="$cluster"}, profile)`,
				Description: "Which client settings the canary mirrors",
			},
			{
				Name: "leader", Label: "Leader", Multi: true,
				Query:       `label_values(kafka_canary_probes_scheduled_total{cluster="$cluster",profile="$profile"}, leader)`,
				Description: "The broker that leads the probed partition",
			},
		},
		Rows: []board.Row{
			{
				Height: 4,
				Panels: []board.Panel{
					board.Stat{Signal: p50Now},
					board.Stat{Signal: p99Now},
					board.Stat{Signal: p999Now},
					board.Stat{Signal: burnRate, Base: board.Good, Thresholds: []board.Threshold{
						{At: 1, Colour: board.Warning}, {At: 14.4, Colour: board.Bad},
					}},
					board.Stat{Signal: inFlightNow},
					board.Stat{Signal: targetsUp, Base: board.Bad, Max: &one, Thresholds: []board.Threshold{
						{At: 1, Colour: board.Good},
					}},
				},
			},
			{
				Title:  "Where, and in which phase?",
				Height: 6,
				Panels: []board.Panel{
					latency(p99ByLeader),
					latency(p50ByLeader),
					board.Trend{
						Title: meanByPhase.Name, Description: meanByPhase.Description,
						Signals: []signal.Signal{meanByPhase}, Stacked: true,
					},
					board.Heat{Signal: endToEndHeat, CellUnit: signal.ProbesPerSec},
				},
			},
			{
				Title:  "On the way in, and what became of it",
				Height: 6,
				Panels: []board.Panel{
					latency(producerP99),
					board.Trend{
						Title: "SLO: bad probes", Description: badRatio.Description,
						Signals: []signal.Signal{badRatio, allowedRatio},
					},
					trend(outcomes),
					trend(inFlight),
				},
			},
			{
				Title:  "What the brokers say",
				Height: 6,
				Panels: []board.Panel{
					board.Trend{
						Title: handlerIdle.Name, Description: handlerIdle.Description,
						Signals: []signal.Signal{handlerIdle}, Max: &one,
					},
					trend(underReplicated),
					board.List{
						Signal:      firingAlerts,
						Columns:     []string{"alertname", "severity", "cluster"},
						ValueColumn: "for",
						Empty:       "Nothing is firing",
					},
				},
			},
		},
	}
}

func trend(s signal.Signal) board.Trend {
	return board.Trend{Title: s.Name, Description: s.Description, Signals: []signal.Signal{s}}
}

func latency(s signal.Signal) board.Trend {
	t := trend(s)
	t.Log = true
	return t
}
