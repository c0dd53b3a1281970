// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"github.com/grafana/grafana-foundation-sdk/go/barchart"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/table"

	"phasewise.io/dashboards/internal/signal"
)

// List shows what instant queries give now: one line per set of labels, the labels as columns and then one for each signal.
type List struct {
	// Title; empty is the name of the only signal.
	Title   string
	Signals []signal.Signal
	// Columns are the labels to show, in order. Every signal has to give exactly these.
	Columns []string
	// Headings of the values, in the order of the signals.
	Headings []string
	// WhenNone is what to say when there is nothing to list.
	WhenNone string
	// Thresholds, where there are any, colour the cells of the signal's values, by the signal's name.
	Thresholds map[string][]Threshold
	// SortBy is the heading by which to sort, largest first; empty leaves the order of the answer.
	SortBy string
}

// Matrix shows a signal of two labels as rows and columns, its cells coloured from the thresholds upwards.
type Matrix struct {
	Signal    signal.Signal
	Row, Cell string
	// Heading of the column of rows' names; empty is Row.
	Heading string
	// RowWidth of that column in pixels; 0 is enough for a broker's number.
	RowWidth int
	// Columns in order; empty: they are brokers' numbers, whichever there are.
	Columns    []string
	Thresholds []Threshold
	// Slight values, up to so much above or below zero, are a dot; 0 for none.
	Slight float64
	// RowLink is the UID of the dashboard that a row leads to, with the variable that takes the row's label; empty for none.
	RowLink, RowVariable string
}

// Bars shows a signal of two labels as stacked bars: one for each value of Bar, made of the values of Part, which add up.
type Bars struct {
	Signal signal.Signal
	Bar    string
	Part   string
	// Parts in the order in which they are stacked.
	Parts []string
}

// Scatter shows how one signal goes with another: each point is a moment of the time range.
type Scatter struct {
	Title string
	// X first, then what is drawn against it. All of them give one series.
	X signal.Signal
	Y []signal.Signal
}

// columnWidths are the labels whose values need more room than a column's share of a narrow list, in pixels.
var columnWidths = map[string]int{"alertname": 170, "next": 800}

func (p List) signals() []signal.Signal { return p.Signals }

func (p List) build() cog.Builder[dashboard.Panel] {
	title, description := titled(p.Title, p.Signals)
	index, rename := map[string]int{}, map[string]string{}
	builder := table.NewPanelBuilder()
	for i, column := range p.Columns {
		index[column] = i
		// A label is text, though it may be a broker's number, and stays empty where a line has none.
		properties := []dashboard.DynamicConfigValue{{Id: "unit", Value: "string"}, {Id: "noValue", Value: ""}}
		if width, long := columnWidths[column]; long {
			properties = append(properties, dashboard.DynamicConfigValue{Id: "custom.minWidth", Value: width})
		}
		builder = builder.OverrideByName(column, properties)
	}
	transformations := []dashboard.DataTransformerConfig{}
	if len(p.Signals) > 1 {
		transformations = append(transformations, dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}})
	}
	for i, s := range p.Signals {
		field := "Value"
		if len(p.Signals) > 1 {
			field = "Value #" + refID(i)
		}
		index[field] = len(p.Columns) + i
		rename[field] = p.Headings[i]
		properties := []dashboard.DynamicConfigValue{{Id: "unit", Value: string(s.Unit)}}
		if steps := p.Thresholds[s.Name]; len(steps) > 0 {
			properties = append(properties,
				dashboard.DynamicConfigValue{Id: "thresholds", Value: thresholdSteps(None, steps)},
				dashboard.DynamicConfigValue{Id: "custom.displayMode", Value: "color-background-solid"},
				dashboard.DynamicConfigValue{Id: "custom.cellOptions", Value: map[string]any{"type": "color-background", "mode": "basic"}},
			)
		}
		builder = builder.
			OverrideByName(p.Headings[i], properties).
			WithTarget(target(s, i).Instant().Format(prometheus.PromQueryFormatTable))
	}
	if p.SortBy != "" {
		builder = builder.SortBy([]cog.Builder[common.TableSortByFieldState]{
			common.NewTableSortByFieldStateBuilder().DisplayName(p.SortBy).Desc(true),
		})
	}
	return builder.
		Title(title).
		Description(description).
		Datasource(datasource()).
		Unit(string(p.Signals[0].Unit)).
		NoValue(p.WhenNone).
		MinWidth(70).
		Transformations(append(transformations, dashboard.DataTransformerConfig{
			Id: "organize",
			Options: map[string]any{
				"excludeByName": map[string]bool{"Time": true},
				"indexByName":   index,
				"renameByName":  rename,
			},
		}))
}

func (p Matrix) signals() []signal.Signal { return []signal.Signal{p.Signal} }

func (p Matrix) build() cog.Builder[dashboard.Panel] {
	corner, heading, width := p.Row+`\`+p.Cell, p.Row, 70
	if p.Heading != "" {
		heading = p.Heading
	}
	if p.RowWidth > 0 {
		width = p.RowWidth
	}
	index := map[string]int{corner: 0}
	for i, column := range p.Columns {
		index[column] = i + 1
	}
	builder := table.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description()).
		Datasource(datasource()).
		Unit(string(p.Signal.Unit)).
		Decimals(1).
		MinWidth(60).
		Align(common.FieldTextAlignmentCenter).
		Thresholds(thresholds(None, p.Thresholds)).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdThresholds)).
		Transformations([]dashboard.DataTransformerConfig{
			matrix(p.Row, p.Cell),
			{Id: "organize", Options: map[string]any{
				"indexByName":  index,
				"renameByName": map[string]string{corner: heading},
			}},
			{Id: "sortBy", Options: map[string]any{"fields": map[string]any{}, "sort": []map[string]any{{"field": heading}}}},
		}).
		WithTarget(target(p.Signal, 0).Instant().Format(prometheus.PromQueryFormatTable))
	if reason := p.Signal.MayBeEmpty; reason != "" {
		builder = builder.NoValue("Nothing: " + reason)
	}
	if p.Slight > 0 {
		builder = builder.Mappings(dot(p.Slight))
	}
	// Both names of the same setting: that of Grafana 9.4 and that of later ones.
	filled := []dashboard.DynamicConfigValue{
		{Id: "custom.displayMode", Value: "color-background-solid"},
		{Id: "custom.cellOptions", Value: map[string]any{"type": "color-background", "mode": "basic"}},
		{Id: "noValue", Value: "-"},
	}
	for _, column := range p.Columns {
		builder = builder.OverrideByName(column, filled)
	}
	if len(p.Columns) == 0 {
		builder = builder.OverrideByRegexp("/^[0-9]+$/", filled)
	}
	row := []dashboard.DynamicConfigValue{
		{Id: "custom.width", Value: width},
		{Id: "unit", Value: "string"},
	}
	if p.RowLink != "" {
		row = append(row, dashboard.DynamicConfigValue{Id: "links", Value: []map[string]any{{
			"title": "Where its time goes",
			"url":   "/d/" + p.RowLink + "?" + keptVariables("cluster", "profile", "percentile") + "&var-" + p.RowVariable + "=${__value.raw}&${__url_time_range}",
		}}})
	}
	return builder.OverrideByName(heading, row)
}

func (p Bars) signals() []signal.Signal { return []signal.Signal{p.Signal} }

func (p Bars) build() cog.Builder[dashboard.Panel] {
	index := map[string]int{p.Bar + `\` + p.Part: 0}
	for i, part := range p.Parts {
		index[part] = i + 1
	}
	builder := barchart.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description()).
		Datasource(datasource()).
		Unit(string(p.Signal.Unit)).
		Min(0).
		XField(p.Bar + `\` + p.Part).
		Orientation(common.VizOrientationHorizontal).
		Stacking(common.StackingModeNormal).
		ShowValue(common.VisibilityModeNever).
		FillOpacity(80).
		BarWidth(0.8).
		Legend(legend()).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).
			Sort(common.SortOrderNone)).
		Transformations([]dashboard.DataTransformerConfig{
			matrix(p.Bar, p.Part),
			{Id: "organize", Options: map[string]any{"indexByName": index}},
		}).
		WithTarget(target(p.Signal, 0).Instant().Format(prometheus.PromQueryFormatTable))
	for _, o := range seriesColours(p.Signal.Legend) {
		builder = builder.OverrideByRegexp(o.pattern, fixedColour(o.colour))
	}
	return builder
}

func (p Scatter) signals() []signal.Signal {
	var all []signal.Signal
	for _, s := range append([]signal.Signal{p.X}, p.Y...) {
		all = append(all, plain(s))
	}
	return all
}

// plain gives a signal figures that need no unit beside them, and a name that says what they are. Up to Grafana 11.0 a scatter's axes leave
// the unit away, and what is scaled for one as well: 1, for a minute, stands above 50, for seconds.
func plain(s signal.Signal) signal.Signal {
	switch s.Unit {
	case signal.Seconds:
		return s.Times(1000, "ms")
	case signal.BytesPerSec:
		return s.Times(1e-6, "MB/s")
	case signal.Ratio:
		return s.Times(100, "%")
	default:
		return s
	}
}

// build writes the options of Grafana 9.4 to 11.0: newer ones read them too and convert them, which older ones cannot.
func (p Scatter) build() cog.Builder[dashboard.Panel] {
	all := p.signals()
	x := all[0]
	_, description := titled(p.Title, all)
	var targets []cog.Builder[dashboardQuery]
	series := []map[string]any{}
	overrides := []dashboard.DashboardFieldConfigSourceOverrides{}
	for i, s := range all {
		targets = append(targets, target(s, i).Range())
		overrides = append(overrides, dashboard.DashboardFieldConfigSourceOverrides{
			Matcher:    dashboard.MatcherConfig{Id: "byName", Options: s.Name},
			Properties: []dashboard.DynamicConfigValue{{Id: "unit", Value: string(s.Unit)}},
		})
		if i > 0 {
			series = append(series, map[string]any{
				"x": x.Name, "y": s.Name, "name": s.Name,
				"pointColor": map[string]any{"fixed": []string{blue, vermillion, amber}[(i-1)%3]},
				"pointSize":  map[string]any{"fixed": 4, "min": 1, "max": 20},
				"show":       "points",
			})
		}
	}
	return rawPanel{
		kind: "xychart", title: p.Title, description: description, targets: targets, overrides: overrides,
		options: map[string]any{
			"seriesMapping": "manual",
			"dims":          map[string]any{},
			"series":        series,
			"tooltip":       map[string]any{"mode": "single", "sort": "none"},
		},
		legend: legend(),
		unit:   x.Unit,
		transformations: []dashboard.DataTransformerConfig{
			{Id: "joinByField", Options: map[string]any{"byField": "Time", "mode": "inner"}},
		},
	}
}

// matrix turns lines with two labels into rows and columns.
func matrix(row, column string) dashboard.DataTransformerConfig {
	return dashboard.DataTransformerConfig{
		Id:      "groupingToMatrix",
		Options: map[string]any{"rowField": row, "columnField": column, "valueField": "Value"},
	}
}

func thresholdSteps(base string, steps []Threshold) map[string]any {
	all := []map[string]any{{"color": base, "value": nil}}
	for _, step := range steps {
		all = append(all, map[string]any{"color": step.Colour, "value": step.At})
	}
	return map[string]any{"mode": "absolute", "steps": all}
}
