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
	"github.com/grafana/grafana-foundation-sdk/go/text"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"phasewise.io/dashboards/internal/signal"
)

// Panel draws one or more signals.
type Panel interface {
	signals() []signal.Signal
	build() cog.Builder[dashboard.Panel]
}

// Wide gives a panel a width of its own, in columns of the grid's 24; the others of its row share what is left.
type Wide struct {
	Panel
	Width uint32
}

// Stat shows signals' values at this moment as numbers, or that there are none. It has no line of their past: that takes a range
// query, whose last value stays on the screen long after measuring has stopped.
type Stat struct {
	// Title; empty is the name of the only signal.
	Title   string
	Signals []signal.Signal
	// Base is the colour below the first threshold; empty is Neutral.
	Base       string
	Thresholds []Threshold
	// Filled colours the tile and not the figure: for what has to be seen from across the room.
	Filled bool
	// Named shows the series' name beside its value, where there is one signal alone.
	Named bool
	// Words replace values: 0 becomes Words[0], ...
	Words []string
	// Unknown replaces -1, where a signal uses that for what is not known; empty where it does not.
	Unknown string
	// WhenNone is what to say when there is no value; empty is "not measured".
	WhenNone string
}

// Trend shows signals as lines over time.
type Trend struct {
	// Title; empty is the name of the only signal.
	Title   string
	Signals []signal.Signal
	// Max is the top of the axis where the unit has one (a ratio's 1).
	Max *float64
	// Log draws the axis in powers of ten: for latency, where what matters spans decades.
	Log bool
	// Stacked puts the series on top of each other, filled: for parts that add up to a whole, and for nothing else.
	Stacked bool
	// Dashed are the names of signals to compare with: a target, a median, yesterday.
	Dashed []string
}

// Heat shows how a histogram's observations spread over time.
type Heat struct {
	// Signal gives a native histogram, and nothing else.
	Signal signal.Signal
	// Buckets gives the same as a classic histogram, one series for each bucket, named by its bound.
	Buckets signal.Signal
	// Points gives exemplars, and nothing else.
	Points signal.Signal
	// CellUnit is the unit of a cell's value, as opposed to the signal's unit, which is the axis's.
	CellUnit signal.Unit
}

// Text is words alone, as Markdown: what cannot be measured but has to be known.
type Text struct {
	Title   string
	Content string
}

// datasource is named by the dashboard's variable, so that the dashboard moves between Grafanas as it is.
func datasource() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}
}

func target(s signal.Signal, i int) *prometheus.DataqueryBuilder {
	builder := prometheus.NewDataqueryBuilder().
		Datasource(datasource()).
		EditorMode(prometheus.QueryEditorModeCode).
		Expr(s.Query).
		LegendFormat(s.LegendOrName()).
		RefId(refID(i))
	if s.Every != "" {
		builder = builder.Interval(s.Every)
	}
	if s.Exemplars {
		builder = builder.Exemplar(true)
	}
	return builder
}

// legend is the same wherever there is one: names below the graph, and no figures, which a mean of percentiles would be one of.
func legend() *common.VizLegendOptionsBuilder {
	return common.NewVizLegendOptionsBuilder().
		ShowLegend(true).
		DisplayMode(common.LegendDisplayModeList).
		Placement(common.LegendPlacementBottom).
		Calcs([]string{})
}

// titled is the title of a panel, and its description: the signals' own words, each once.
func titled(title string, all []signal.Signal) (string, string) {
	if title == "" {
		title = all[0].Name
	}
	if len(all) == 1 {
		return title, all[0].Description()
	}
	description := ""
	for i, s := range all {
		if i > 0 {
			description += "\n\n"
		}
		description += "**" + s.Name + "**: " + s.Description()
	}
	return title, description
}

func (p Stat) signals() []signal.Signal { return p.Signals }

func (p Stat) build() cog.Builder[dashboard.Panel] {
	title, description := titled(p.Title, p.Signals)
	colouring, mode := common.BigValueColorModeValue, common.BigValueTextModeAuto
	if p.Filled {
		colouring = common.BigValueColorModeBackground
	}
	if len(p.Signals) > 1 || p.Named {
		mode = common.BigValueTextModeValueAndName
	}
	none := p.WhenNone
	if none == "" {
		none = "not measured"
	}
	builder := stat.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(datasource()).
		Unit(string(p.Signals[0].Unit)).
		Thresholds(thresholds(p.Base, p.Thresholds)).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdThresholds)).
		ColorMode(colouring).
		GraphMode(common.BigValueGraphModeNone).
		TextMode(mode).
		NoValue(none).
		Orientation(common.VizOrientationAuto).
		// The newest value, never a mean: a mean of percentiles is no percentile.
		ReduceOptions(common.NewReduceDataOptionsBuilder().Values(false).Calcs([]string{"lastNotNull"}))
	if unit := p.Signals[0].Unit; unit == signal.Seconds || unit == signal.Multiple {
		// Three figures: 12.3 ms. More would be noise on a screen that is read from a distance.
		builder = builder.Decimals(1)
	}
	if len(p.Words) > 0 {
		builder = builder.Mappings(words(p.Words, p.Unknown))
	}
	for i, s := range p.Signals {
		builder = builder.WithTarget(target(s, i).Instant())
	}
	return builder
}

// leastAxis is what an axis reaches at least: noise near nothing does not look like mountains, nor nothing at all like a line at the
// bottom of something large.
var leastAxis = map[signal.Unit]float64{
	signal.Seconds:        0.001,
	signal.Ratio:          0.01,
	signal.Count:          1,
	signal.PerSec:         1,
	signal.RequestsPerSec: 1,
	signal.Bytes:          1024,
}

func (p Trend) signals() []signal.Signal { return p.Signals }

func (p Trend) build() cog.Builder[dashboard.Panel] {
	title, description := titled(p.Title, p.Signals)
	scale := common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLinear)
	if p.Log {
		scale = common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10)
	}
	stacking, fill := common.StackingModeNone, 0.0
	if p.Stacked {
		stacking, fill = common.StackingModeNormal, 80
	}
	builder := timeseries.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(datasource()).
		Unit(string(p.Signals[0].Unit)).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdPaletteClassic)).
		DrawStyle(common.GraphDrawStyleLine).
		LineWidth(1).
		FillOpacity(fill).
		ShowPoints(common.VisibilityModeNever).
		Stacking(common.NewStackingConfigBuilder().Mode(stacking)).
		ScaleDistribution(scale).
		Legend(legend()).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).
			Sort(common.SortOrderDescending))
	if reason := p.Signals[0].MayBeEmpty; reason != "" {
		// An empty panel that does not say why looks broken.
		builder = builder.NoValue("Nothing: " + reason)
	}
	if !p.Log && p.Signals[0].Range().Low >= 0 {
		// A logarithmic axis has no zero.
		builder = builder.Min(0)
	}
	if p.Max != nil {
		builder = builder.Max(*p.Max)
	}
	if least, ok := leastAxis[p.Signals[0].Unit]; ok && !p.Log && p.Max == nil {
		builder = builder.AxisSoftMax(least)
	}
	for _, o := range seriesColours(p.Signals[0].LegendOrName()) {
		builder = builder.OverrideByRegexp(o.pattern, fixedColour(o.colour))
	}
	for _, name := range p.Dashed {
		builder = builder.OverrideByName(name, []dashboard.DynamicConfigValue{
			{Id: "custom.lineStyle", Value: map[string]any{"fill": "dash", "dash": []int{6, 6}}},
			{Id: "color", Value: map[string]any{"mode": "fixed", "fixedColor": Neutral}},
		})
	}
	for i, s := range p.Signals {
		builder = builder.WithTarget(target(s, i).Range())
	}
	return builder
}

func (p Heat) signals() []signal.Signal { return []signal.Signal{p.Signal, p.Buckets, p.Points} }

func (p Heat) build() cog.Builder[dashboard.Panel] {
	return heatmap.NewPanelBuilder().
		Title(p.Signal.Name).
		Description(p.Signal.Description() + " " + p.Points.Description()).
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
		WithTarget(target(p.Signal, 0).Range().Format(prometheus.PromQueryFormatTimeSeries)).
		WithTarget(target(p.Buckets, 1).Range().Format(prometheus.PromQueryFormatHeatmap)).
		WithTarget(target(p.Points, 2).Range().Format(prometheus.PromQueryFormatTimeSeries))
}

func (p Text) signals() []signal.Signal { return nil }

func (p Text) build() cog.Builder[dashboard.Panel] {
	return text.NewPanelBuilder().
		Title(p.Title).
		Mode(text.TextModeMarkdown).
		Content(p.Content)
}

// refID names the i-th query of a panel as Grafana does: A, B, C, ...
func refID(i int) string {
	if i < 0 || i > 25 {
		panic(fmt.Sprintf("a panel has at most 26 queries, not %d", i+1))
	}
	return string(rune('A' + i))
}
