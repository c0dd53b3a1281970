// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// Threshold colours a value from At upwards.
type Threshold struct {
	At     float64
	Colour string
}

// Colours that stay apart for people with a colour vision deficiency: no pair differs by red against green alone,
// because the good one is blue.
const (
	Good    = "blue"
	Warning = "orange"
	Bad     = "red"
	Neutral = "text"
	None    = "transparent"
)

// From the palettes of Okabe and Ito and of Tol, which were made to stay apart for every kind of colour vision; the ones that would
// vanish on a dark or on a light background are replaced by a lighter or darker neighbour.
const (
	grey       = "#8C8C8C"
	blue       = "#3B82D6"
	amber      = "#E69F00"
	green      = "#009E73"
	pink       = "#CC79A7"
	sky        = "#56B4E9"
	vermillion = "#D55E00"
	olive      = "#A89A00"
	purple     = "#9A55B8"
	brown      = "#8D6E63"
)

type phaseColour struct{ phase, colour string }

// A phase has one colour wherever it is drawn.
var phaseColours = []phaseColour{
	{"produce", sky}, {"publish", amber}, {"commit", vermillion}, {"catch_up", pink}, {"fetch", blue},
}

// What a broker does with a request, in the order in which it happens.
var requestColours = []phaseColour{
	{"request_queue", amber}, {"local", blue}, {"remote", vermillion}, {"throttle", purple},
	{"response_queue", pink}, {"response_send", sky},
}

// By the last digit of a broker's id.
var brokerColours = []string{grey, blue, amber, green, pink, sky, vermillion, olive, purple, brown}

type seriesColour struct{ pattern, colour string }

// seriesColours give what is the same thing the same colour on every panel of every dashboard: a phase, and a broker, be it as
// leader or not (with more than ten brokers, those whose ids end alike). Only what a legend can name is coloured.
func seriesColours(legend string) []seriesColour {
	var all []seriesColour
	if strings.Contains(legend, "{{phase}}") || slices.ContainsFunc(phaseColours, func(p phaseColour) bool { return p.phase == legend }) {
		for _, p := range slices.Concat(phaseColours, requestColours) {
			all = append(all, seriesColour{fmt.Sprintf("/^%s$/", p.phase), p.colour})
		}
	}
	if strings.Contains(legend, "{{broker}}") || strings.Contains(legend, "{{leader}}") {
		for digit, colour := range brokerColours {
			all = append(all, seriesColour{fmt.Sprintf("/^(broker|leader) .*%d( |$)/", digit), colour})
		}
	}
	return all
}

func fixedColour(colour string) []dashboard.DynamicConfigValue {
	return []dashboard.DynamicConfigValue{{Id: "color", Value: map[string]any{"mode": "fixed", "fixedColor": colour}}}
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

// words show 0, 1, 2, ... as text.
func words(all []string, unknown string) []dashboard.ValueMapping {
	options := map[string]dashboard.ValueMappingResult{}
	for i, word := range all {
		options[strconv.Itoa(i)] = dashboard.ValueMappingResult{Text: cog.ToPtr(word), Index: cog.ToPtr(int32(i))}
	}
	if unknown != "" {
		options["-1"] = dashboard.ValueMappingResult{Text: cog.ToPtr(unknown), Index: cog.ToPtr(int32(len(all)))}
	}
	return []dashboard.ValueMapping{{ValueMap: &dashboard.ValueMap{Type: "value", Options: options}}}
}

// dot shows values of less than this, above or below zero, as a dot.
func dot(slight float64) []dashboard.ValueMapping {
	return []dashboard.ValueMapping{{RangeMap: &dashboard.RangeMap{Type: "range", Options: dashboard.DashboardRangeMapOptions{
		From: cog.ToPtr(-slight), To: cog.ToPtr(slight), Result: dashboard.ValueMappingResult{Text: cog.ToPtr("·"), Index: cog.ToPtr(int32(0))},
	}}}}
}
