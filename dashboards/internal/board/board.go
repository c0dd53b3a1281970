// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

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
	// Collapsed shows the heading alone until somebody opens it: for what few have.
	Collapsed bool
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
	First string
	// Values, where they are set, are what can be chosen, by their labels, in place of what a query gives; the Chosen one at first.
	Values      []Value
	Chosen      int
	Description string
}

// Value is one choice of a variable.
type Value struct{ Label, Value string }

// EventStep is how far apart the moments are at which events are asked for, in ranges of up to two days; then they lie farther apart.
const EventStep = "15s"

// Event marks moments on every graph: wherever its query gives something.
type Event struct {
	Name   string
	Query  string
	Text   string
	Colour string
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
	Events    []Event
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
	for _, e := range d.Events {
		builder = builder.Annotation(e.build())
	}
	if len(d.Tags) > 0 {
		// To its sisters; what has been chosen here stays chosen there.
		builder = builder.Link(dashboard.NewDashboardLinkBuilder("Dashboards").
			Type(dashboard.DashboardLinkTypeDashboards).
			Tags(d.Tags[:1]).
			AsDropdown(true).
			IncludeVars(true).
			KeepTime(true))
	}
	built, err := builder.Build()
	if err != nil {
		return dashboard.Dashboard{}, err
	}
	built.Panels, err = d.layOut()
	return built, err
}

// layOut gives every panel its place and its number.
func (d Dashboard) layOut() ([]dashboard.PanelOrRowPanel, error) {
	var placed []dashboard.PanelOrRowPanel
	var y, id uint32
	for _, row := range d.Rows {
		var heading *dashboard.RowPanel
		if row.Title != "" {
			id++
			built, err := dashboard.NewRowBuilder(row.Title).
				Id(id).
				Collapsed(row.Collapsed).
				GridPos(dashboard.GridPos{X: 0, Y: y, W: gridWidth, H: 1}).
				Build()
			if err != nil {
				return nil, fmt.Errorf("row %q: %w", row.Title, err)
			}
			heading = &built
			placed = append(placed, dashboard.PanelOrRowPanel{RowPanel: heading})
			y++
		} else if row.Collapsed {
			return nil, fmt.Errorf("a row without a title cannot be collapsed: nobody could open it")
		}
		widths, err := row.widths()
		if err != nil {
			return nil, err
		}
		x := uint32(0)
		for i, p := range row.Panels {
			if err := check(p); err != nil {
				return nil, err
			}
			panel, err := p.build().Build()
			if err != nil {
				return nil, fmt.Errorf("row %q, panel %d: %w", row.Title, i+1, err)
			}
			id++
			panel.Id = cog.ToPtr(id)
			panel.GridPos = &dashboard.GridPos{X: x, Y: y, W: widths[i], H: row.Height}
			x += widths[i]
			if row.Collapsed {
				heading.Panels = append(heading.Panels, panel)
			} else {
				placed = append(placed, dashboard.PanelOrRowPanel{Panel: &panel})
			}
		}
		if row.Collapsed {
			continue
		}
		y += row.Height
	}
	return placed, nil
}

// widths of the panels: what has none of its own shares what is left, the first ones what does not divide.
func (r Row) widths() ([]uint32, error) {
	if len(r.Panels) == 0 {
		return nil, fmt.Errorf("row %q has no panel", r.Title)
	}
	all := make([]uint32, len(r.Panels))
	left, shares := uint32(gridWidth), uint32(0)
	for i, p := range r.Panels {
		if wide, ok := p.(Wide); ok {
			if wide.Width == 0 || wide.Width > left {
				return nil, fmt.Errorf("row %q is wider than %d", r.Title, gridWidth)
			}
			all[i] = wide.Width
			left -= wide.Width
		} else {
			shares++
		}
	}
	if left < shares {
		return nil, fmt.Errorf("row %q is wider than %d", r.Title, gridWidth)
	}
	for i := range all {
		if all[i] == 0 {
			all[i] = (left + shares - 1) / shares
			left -= all[i]
			shares--
		}
	}
	return all, nil
}

func check(p Panel) error {
	if wide, ok := p.(Wide); ok {
		return check(wide.Panel)
	}
	if text, ok := p.(Text); ok {
		if strings.TrimSpace(text.Content) == "" {
			return fmt.Errorf("text %q is empty", text.Title)
		}
		return nil
	}
	signals := p.signals()
	if len(signals) == 0 {
		return fmt.Errorf("a panel shows no signal")
	}
	for _, s := range signals {
		if err := s.Validate(); err != nil {
			return err
		}
		if _, own := p.(oneAxis); own && s.Unit != signals[0].Unit {
			return fmt.Errorf("signals %q (%s) and %q (%s) share an axis but not a unit",
				signals[0].Name, signals[0].Unit, s.Name, s.Unit)
		}
	}
	return nil
}

// oneAxis is a panel whose signals are drawn on one scale.
type oneAxis interface{ onOneAxis() }

func (Trend) onOneAxis() {}
func (Stat) onOneAxis()  {}

// keptVariables is the part of an address that carries what has been chosen.
func keptVariables(names ...string) string {
	kept := make([]string, len(names))
	for i, name := range names {
		kept[i] = "${" + name + ":queryparam}"
	}
	return strings.Join(kept, "&")
}

func (e Event) build() *dashboard.AnnotationQueryBuilder {
	return dashboard.NewAnnotationQueryBuilder().
		Name(e.Name).
		Datasource(datasource()).
		Enable(true).
		IconColor(e.Colour).
		Expr(e.Query).
		TitleFormat(e.Name).
		TextFormat(e.Text).
		Step(EventStep)
}

func datasourceVariable() *dashboard.DatasourceVariableBuilder {
	return dashboard.NewDatasourceVariableBuilder("datasource").
		Label("Data source").
		Description("The Prometheus that scrapes the canary and the brokers").
		Type("prometheus").
		Multi(false).
		IncludeAll(false)
}

func (v Variable) build() cog.Builder[dashboard.VariableModel] {
	if len(v.Values) > 0 {
		return v.choice()
	}
	return v.lookup()
}

func (v Variable) choice() *dashboard.CustomVariableBuilder {
	var all []string
	var options []dashboard.VariableOption
	for i, value := range v.Values {
		all = append(all, value.Label+" : "+value.Value)
		options = append(options, dashboard.VariableOption{
			Selected: cog.ToPtr(i == v.Chosen),
			Text:     dashboard.StringOrArrayOfString{String: cog.ToPtr(value.Label)},
			Value:    dashboard.StringOrArrayOfString{String: cog.ToPtr(value.Value)},
		})
	}
	return dashboard.NewCustomVariableBuilder(v.Name).
		Label(v.Label).
		Description(v.Description).
		Values(dashboard.StringOrMap{String: cog.ToPtr(strings.Join(all, ", "))}).
		Options(options).
		Current(options[v.Chosen])
}

func (v Variable) lookup() *dashboard.QueryVariableBuilder {
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
