// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"phasewise.io/dashboards/internal/signal"
)

// gridWidth is the width of Grafana's grid, whatever the screen.
const gridWidth = 24

// Row is a question and the panels that answer it, side by side.
type Row struct {
	// Title is the question; empty draws no heading.
	Title string
	// Height of the panels, in units of Grafana's grid (about 38 pixels).
	Height uint32
	Panels []Panel
}

// Variable lets the reader choose a label's value.
type Variable struct {
	Name  string
	Label string
	// Query is PromQL-like, as Grafana's Prometheus data source takes it: label_values(...).
	Query string
	// Multi allows several values at once, and all of them, which is then what is chosen at first.
	Multi bool
	// First is chosen at first, where it exists; else the first value is. Not for Multi.
	First       string
	Description string
}

// Dashboard is rows under one title.
type Dashboard struct {
	// UID is part of links; it never changes once published.
	UID         string
	Title       string
	Description string
	Tags        []string
	// Refresh and From are Grafana durations: how often to reload, and how far back to look.
	Refresh   string
	From      string
	Variables []Variable
	Rows      []Row
}

// Signals lists every signal of the dashboard, in reading order.
func (d Dashboard) Signals() []signal.Signal {
	var all []signal.Signal
	for _, row := range d.Rows {
		for _, panel := range row.Panels {
			all = append(all, panel.signals()...)
		}
	}
	return all
}

// JSON renders the dashboard as Grafana imports it. The same dashboard always gives the same bytes. It fails on a signal that
// lacks something, on signals of different units in one panel, and on what the SDK refuses.
func (d Dashboard) JSON() ([]byte, error) {
	built, err := d.build()
	if err != nil {
		return nil, fmt.Errorf("dashboard %s: %w", d.UID, err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(built); err != nil {
		return nil, fmt.Errorf("dashboard %s: %w", d.UID, err)
	}
	return out.Bytes(), nil
}

func (d Dashboard) build() (dashboard.Dashboard, error) {
	builder := dashboard.NewDashboardBuilder(d.Title).
		Uid(d.UID).
		Description(d.Description).
		Tags(d.Tags).
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Refresh(d.Refresh).
		Time("now-"+d.From, "now").
		Timezone("browser").
		Version(1).
		WithVariable(datasourceVariable())
	for _, v := range d.Variables {
		builder = builder.WithVariable(v.build())
	}
	built, err := builder.Build()
	if err != nil {
		return dashboard.Dashboard{}, err
	}
	built.Panels, err = d.layOut()
	return built, err
}

// layOut gives every panel its place and its number. Panels of a row share its width; the last takes what does not divide.
func (d Dashboard) layOut() ([]dashboard.PanelOrRowPanel, error) {
	var placed []dashboard.PanelOrRowPanel
	var y, id uint32
	for _, row := range d.Rows {
		if row.Title != "" {
			id++
			heading, err := dashboard.NewRowBuilder(row.Title).
				Id(id).
				GridPos(dashboard.GridPos{X: 0, Y: y, W: gridWidth, H: 1}).
				Build()
			if err != nil {
				return nil, fmt.Errorf("row %q: %w", row.Title, err)
			}
			placed = append(placed, dashboard.PanelOrRowPanel{RowPanel: &heading})
			y++
		}
		if len(row.Panels) == 0 {
			return nil, fmt.Errorf("row %q has no panel", row.Title)
		}
		width := uint32(gridWidth / len(row.Panels))
		for i, p := range row.Panels {
			if err := check(p); err != nil {
				return nil, err
			}
			panel, err := p.build().Build()
			if err != nil {
				return nil, fmt.Errorf("panel of signal %q: %w", p.signals()[0].Name, err)
			}
			id++
			panel.Id = cog.ToPtr(id)
			w := width
			if i == len(row.Panels)-1 {
				w = gridWidth - width*uint32(i)
			}
			panel.GridPos = &dashboard.GridPos{X: width * uint32(i), Y: y, W: w, H: row.Height}
			placed = append(placed, dashboard.PanelOrRowPanel{Panel: &panel})
		}
		y += row.Height
	}
	return placed, nil
}

func check(p Panel) error {
	signals := p.signals()
	if len(signals) == 0 {
		return fmt.Errorf("a panel shows no signal")
	}
	for _, s := range signals {
		if err := s.Validate(); err != nil {
			return err
		}
		if s.Unit != signals[0].Unit {
			return fmt.Errorf("signals %q (%s) and %q (%s) share an axis but not a unit",
				signals[0].Name, signals[0].Unit, s.Name, s.Unit)
		}
	}
	return nil
}

func datasourceVariable() *dashboard.DatasourceVariableBuilder {
	return dashboard.NewDatasourceVariableBuilder("datasource").
		Label("Data source").
		Description("The Prometheus that scrapes the canary and the brokers").
		Type("prometheus").
		Multi(false).
		IncludeAll(false)
}

func (v Variable) build() *dashboard.QueryVariableBuilder {
	builder := dashboard.NewQueryVariableBuilder(v.Name).
		Label(v.Label).
		Description(v.Description).
		Datasource(datasource()).
		Query(dashboard.StringOrMap{String: cog.ToPtr(v.Query)}).
		Definition(v.Query).
		// On every change of the time range: brokers and clusters come and go.
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortNumericalAsc).
		Multi(v.Multi).
		IncludeAll(v.Multi)
	if v.Multi {
		all := "$__all"
		builder = builder.
			AllValue(".*").
			Current(dashboard.VariableOption{
				Selected: cog.ToPtr(true),
				Text:     dashboard.StringOrArrayOfString{ArrayOfString: []string{"All"}},
				Value:    dashboard.StringOrArrayOfString{ArrayOfString: []string{all}},
			})
	}
	if v.First != "" {
		builder = builder.Current(dashboard.VariableOption{
			Selected: cog.ToPtr(true),
			Text:     dashboard.StringOrArrayOfString{String: cog.ToPtr(v.First)},
			Value:    dashboard.StringOrArrayOfString{String: cog.ToPtr(v.First)},
		})
	}
	return builder
}
