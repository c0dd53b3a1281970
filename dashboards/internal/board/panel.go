// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package board draws signals: signals make a panel, panels a row, rows a dashboard. It knows Grafana and nothing about
// Kafka; what is worth showing is left to the packages that use it.
package board

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"phasewise.io/dashboards/internal/signal"
)

// Panel draws one or more signals.
type Panel interface {
	signals() []signal.Signal
	build() cog.Builder[dashboard.Panel]
}

// Threshold colours a value from At upwards.
type Threshold struct {
	At     float64
	Colour string
}

// Colours that stay apart for people with a colour vision deficiency: no pair is told apart by red against green alone,
// because the good one is blue.
const (
	Good    = "blue"
	Warning = "orange"
	Bad     = "red"
	Neutral = "text"
)

// Stat shows a signal's value at this moment as a number, or that there is none. It has no line of its past: that takes a range
// query, whose last value stays on the screen long after measuring has stopped.
type Stat struct {
	Signal signal.Signal
	// Base is the colour below the first threshold; empty is Neutral.
	Base       string
	Thresholds []Threshold
	// Max, where it is set, is the value that fills the panel; a pointer because 0 means something.
	Max *float64
}

// Trend shows signals as lines over time.
type Trend struct {
	Title       string
	Description string
	Signals     []signal.Signal
	// Max is the top of the axis where the unit has one (a ratio's 1).
	Max *float64
	// Log draws the axis in powers of ten: for latency, where what matters spans decades.
	Log bool
	// Stacked puts the series on top of each other, filled: for parts that add up to a whole, and for nothing else.
	Stacked bool
}

// Heat shows how a histogram's observations spread over time. The signal's query must give a native histogram.
type Heat struct {
	Signal signal.Signal
	// CellUnit is the unit of a cell's value, as opposed to the signal's unit, which is the axis's.
	CellUnit signal.Unit
}

// List shows what an instant query gives now, one line per series, its labels as columns.
type List struct {
	Signal signal.Signal
	// Columns are the labels to show, in order.
	Columns []string
	// ValueColumn is the heading of the value.
	ValueColumn string
	// Empty is what to say when there is nothing to list.
	Empty string
}

// datasource is the one that the dashboard's variable names, so that the dashboard moves between Grafanas as it is.
func datasource() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}
}

func target(s signal.Signal, refID string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		Datasource(datasource()).
		EditorMode(prometheus.QueryEditorModeCode).
		Expr(s.Query).
		LegendFormat(s.LegendOrName()).
		RefId(refID)
}

func thresholds(base string, steps []Threshold) *dashboard.ThresholdsConfigBuilder {
	if base == "" {
		base = Neutral
	}
	all := []dashboard.Threshold{{Color: base}}
	for _, step := range steps {
		all = append(all, dashboard.Threshold{Color: step.Colour, Value: cog.ToPtr(step.At)})
	}
	return dashboard.NewThresholdsConfigBuilder().Mode(dashboard.ThresholdsModeAbsolute).Steps(all)
}

func (p Stat) signals() []signal.Signal { return []signal.Signal{p.Signal} }

func (p Stat) build() cog.Builder[dashboard.Panel] {
	builder := stat.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description).
		Datasource(datasource()).
		Unit(string(p.Signal.Unit)).
		Thresholds(thresholds(p.Base, p.Thresholds)).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdThresholds)).
		ColorMode(common.BigValueColorModeValue).
		GraphMode(common.BigValueGraphModeNone).
		NoValue("not measured").
		Orientation(common.VizOrientationAuto).
		// The newest value, never a mean: a mean of percentiles is no percentile.
		ReduceOptions(common.NewReduceDataOptionsBuilder().Values(false).Calcs([]string{"lastNotNull"})).
		Min(0).
		WithTarget(target(p.Signal, "A").Instant())
	if p.Max != nil {
		builder = builder.Max(*p.Max)
	}
	return builder
}

func (p Trend) signals() []signal.Signal { return p.Signals }

func (p Trend) build() cog.Builder[dashboard.Panel] {
	scale := common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLinear)
	if p.Log {
		scale = common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10)
	}
	stacking, fill := common.StackingModeNone, 0.0
	if p.Stacked {
		stacking, fill = common.StackingModeNormal, 60
	}
	builder := timeseries.NewPanelBuilder().
		Title(p.Title).
		Description(p.Description).
		Datasource(datasource()).
		Unit(string(p.Signals[0].Unit)).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdPaletteClassic)).
		DrawStyle(common.GraphDrawStyleLine).
		LineWidth(1).
		FillOpacity(fill).
		ShowPoints(common.VisibilityModeNever).
		Stacking(common.NewStackingConfigBuilder().Mode(stacking)).
		ScaleDistribution(scale).
		Legend(common.NewVizLegendOptionsBuilder().
			ShowLegend(true).
			DisplayMode(common.LegendDisplayModeList).
			Placement(common.LegendPlacementBottom).
			Calcs([]string{})).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).
			Sort(common.SortOrderDescending))
	if !p.Log {
		// A logarithmic axis has no zero.
		builder = builder.Min(0)
	}
	if p.Max != nil {
		builder = builder.Max(*p.Max)
	}
	if p.Signals[0].Unit == signal.Count {
		// Nothing at all is the usual count: an axis to 100 would say nothing about a 1.
		builder = builder.AxisSoftMax(1).Decimals(0)
	}
	for i, s := range p.Signals {
		builder = builder.WithTarget(target(s, refID(i)).Range())
	}
	return builder
}

func (p Heat) signals() []signal.Signal { return []signal.Signal{p.Signal} }

func (p Heat) build() cog.Builder[dashboard.Panel] {
	return heatmap.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description).
		Datasource(datasource()).
		Unit(string(p.CellUnit)).
		Calculate(false).
		// Viridis keeps its order of lightness for every kind of colour vision, and in grey.
		Color(heatmap.NewHeatmapColorOptionsBuilder().
			Mode(heatmap.HeatmapColorModeScheme).
			Scheme("Viridis").
			// The tail is a handful of probes among thousands: a steep scale keeps it visible.
			Exponent(0.3).
			Steps(64)).
		YAxis(heatmap.NewYAxisConfigBuilder().
			Unit(string(p.Signal.Unit)).
			AxisPlacement(common.AxisPlacementLeft)).
		CellValues(heatmap.NewCellValuesBuilder().Unit(string(p.CellUnit))).
		CellGap(0).
		// The colours order cells; the tooltip has the figures, and the room is better used by the cells.
		HideLegend().
		Tooltip(heatmap.NewHeatmapTooltipBuilder().
			Mode(common.TooltipDisplayModeSingle).
			YHistogram(true)).
		// A native histogram brings its own buckets. Format "heatmap" is for classic ones: Grafana 9 and 10 would read this as one.
		WithTarget(target(p.Signal, "A").Range().Format(prometheus.PromQueryFormatTimeSeries))
}

func (p List) signals() []signal.Signal { return []signal.Signal{p.Signal} }

func (p List) build() cog.Builder[dashboard.Panel] {
	index := map[string]int{}
	for i, column := range p.Columns {
		index[column] = i
	}
	index["Value"] = len(p.Columns)
	return table.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description).
		Datasource(datasource()).
		Unit(string(p.Signal.Unit)).
		NoValue(p.Empty).
		MinWidth(80).
		Transformations([]dashboard.DataTransformerConfig{{
			Id: "organize",
			Options: map[string]any{
				"excludeByName": map[string]bool{"Time": true},
				"indexByName":   index,
				"renameByName":  map[string]string{"Value": p.ValueColumn},
			},
		}}).
		WithTarget(target(p.Signal, "A").Instant().Format(prometheus.PromQueryFormatTable))
}

// refID names the i-th query of a panel as Grafana does: A, B, C, ...
func refID(i int) string {
	if i < 0 || i > 25 {
		panic(fmt.Sprintf("a panel has at most 26 queries, not %d", i+1))
	}
	return string(rune('A' + i))
}
