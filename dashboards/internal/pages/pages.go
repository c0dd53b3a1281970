// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package pages lays out the dashboards: which signals stand beside each other, and in what order they are read. What a signal
// means is left to package signals, how it is drawn to package board.
package pages

import (
	"fmt"
	"strings"

	"phasewise.io/dashboards/internal/board"
	"phasewise.io/dashboards/internal/signal"
	"phasewise.io/dashboards/internal/signals"
)

// The UIDs are part of links and never change.
const (
	overviewUID    = "phasewise-latency-overview"
	drillDownUID   = "phasewise-phase-drill-down"
	anatomyUID     = "phasewise-request-anatomy"
	replicationUID = "phasewise-replication"
	kraftUID       = "phasewise-kraft"
	tieredUID      = "phasewise-tiered-storage"
	clientsUID     = "phasewise-clients"
	hostUID        = "phasewise-host-jvm"
	capacityUID    = "phasewise-capacity"
	fleetUID       = "phasewise-fleet"
	sitesUID       = "phasewise-sites"
)

// Overview is the file of the first screen.
const Overview = "kafka-latency-overview.json"

// All dashboards, by the name of the file that each goes to.
func All() map[string]board.Dashboard {
	return map[string]board.Dashboard{
		Overview:                      overview(),
		"kafka-phase-drill-down.json": drillDown(),
		"kafka-request-anatomy.json":  anatomy(),
		"kafka-replication.json":      replication(),
		"kafka-kraft.json":            kraft(),
		"kafka-tiered-storage.json":   tieredStorage(),
		"kafka-clients.json":          clients(),
		"kafka-host-jvm.json":         hostAndJVM(),
		"kafka-capacity.json":         capacity(),
		"kafka-fleet.json":            fleet(),
		"kafka-sites.json":            sites(),
	}
}

// page is a dashboard with what all of them share: variables, events, links to the others.
func page(uid, title, description, from string, rows ...board.Row) board.Dashboard {
	return board.Dashboard{
		UID:         uid,
		Title:       title,
		Description: description,
		Tags:        []string{"phasewise", "kafka"},
		Refresh:     "10s",
		From:        from,
		Variables:   variables(),
		Events:      events(),
		Rows:        rows,
	}
}

func variables() []board.Variable {
	return []board.Variable{
		{
			Name: "cluster", Label: "Cluster", Query: `label_values(kafka_canary_slo_objective_ratio, cluster)`,
			Description: "As named in the canary's configuration",
		},
		{
			Name: "profile", Label: "Profile", First: "default", Query: `label_values(kafka_canary_slo_objective_ratio{cluster="$cluster"}, profile)`,
			Description: "Which client settings the canary mirrors",
		},
		{
			Name: "leader", Label: "Leader", Multi: true,
			Query:       `label_values(kafka_canary_partition_leader_info{cluster="$cluster"}, leader)`,
			Description: "Brokers, by node id: as leaders of the canary's partitions, and themselves",
		},
		{
			Name: "percentile", Label: "Percentile", Chosen: 2,
			Values: []board.Value{
				{Label: "p50", Value: "0.5"}, {Label: "p90", Value: "0.9"}, {Label: "p99", Value: "0.99"}, {Label: "p99.9", Value: "0.999"},
			},
			Description: "Which percentile panels with one percentile show",
		},
	}
}

// What is new is what was not there when Grafana would have asked the last time: so it is seen once, and drawn as a line and not as a band.
const eventsEvery = board.EventStep

// appeared marks the moments at which a line turns up that was not there before, though others were: not those at which all began.
func appeared(lines, anyLine string) string {
	before := strings.ReplaceAll(lines, "}", "} offset "+eventsEvery)
	return fmt.Sprintf(`(%s unless %s) and on () %s offset %s`, lines, before, anyLine, eventsEvery)
}

// events are what a change in latency is most often matched with. An alert marks when it began to fire and not how long: a band over every
// graph, for as long as it lasts, would hide what it is about.
func events() []board.Event {
	const started = `process_start_time_seconds{cluster="$cluster",broker!=""}`
	return []board.Event{
		{
			Name: "Alert", Colour: board.Bad, Text: "{{alertname}} {{leader}} {{broker}}",
			Query: appeared(`max by (alertname, leader, broker) (ALERTS{alertstate="firing",severity!="none",cluster="$cluster"})`,
				`up{cluster="$cluster"}`),
		},
		{
			Name: "Leader change", Colour: board.Warning, Text: "partition {{partition}} is led by broker {{leader}}",
			Query: appeared(`max by (partition, leader) (kafka_canary_partition_leader_info{cluster="$cluster"})`,
				`kafka_canary_partition_leader_info{cluster="$cluster"}`),
		},
		{
			Name: "Broker restart", Colour: "purple", Text: "broker {{broker}}",
			// Its process is younger than before; a broker that was away for more than ten minutes is a new one.
			Query: `max by (broker) (` + started + `) > max by (broker) (max_over_time(` + started + `[10m] offset ` + eventsEvery + `))`,
		},
		{
			Name: "Configuration of the canary", Colour: board.Good, Text: "profile {{profile}}: acks {{acks}}, linger {{linger_ms}} ms",
			Query: appeared(`max by (profile, acks, linger_ms, compression) (kafka_canary_config_info{cluster="$cluster"})`,
				`kafka_canary_config_info{cluster="$cluster"}`),
		},
	}
}

func row(title string, height uint32, panels ...board.Panel) board.Row {
	return board.Row{Title: title, Height: height, Panels: panels}
}

// collapsed is a row for what few clusters have: one line until it is opened.
func collapsed(title string, height uint32, panels ...board.Panel) board.Row {
	return board.Row{Title: title, Height: height, Panels: panels, Collapsed: true}
}

func trend(all ...signal.Signal) board.Trend { return board.Trend{Title: all[0].Name, Signals: all} }

// whose splits the mean of a phase by broker and role.
func whose(phase string) board.Trend {
	return board.Trend{Title: "Whose time " + phase + " was", Signals: signals.WhosePhase(phase), Stacked: true}
}

func latency(s signal.Signal, dashed ...signal.Signal) board.Trend {
	t := compared(s, dashed...)
	t.Log = true
	return t
}

// withPoints adds single probes to a graph.
func withPoints(t board.Trend, points signal.Signal) board.Trend {
	t.Signals = append(t.Signals, points)
	return t
}

// compared draws a signal with others, dashed, to compare it with.
func compared(s signal.Signal, dashed ...signal.Signal) board.Trend {
	t := board.Trend{Title: s.Name, Signals: append([]signal.Signal{s}, dashed...)}
	for _, d := range dashed {
		t.Dashed = append(t.Dashed, d.LegendOrName())
	}
	return t
}

// share is a trend of ratios: its axis ends at 1, whatever the values.
func share(s signal.Signal) board.Trend {
	one := 1.0
	t := trend(s)
	t.Max = &one
	return t
}

func count(s signal.Signal, steps ...board.Threshold) board.Stat {
	return board.Stat{Signals: []signal.Signal{s}, Thresholds: steps}
}

// zero is a count that should be 0.
func zero(s signal.Signal) board.Stat {
	return board.Stat{Signals: []signal.Signal{s}, Base: board.Good, Thresholds: []board.Threshold{{At: 1, Colour: board.Bad}}}
}
