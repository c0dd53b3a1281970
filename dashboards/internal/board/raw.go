// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"maps"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"phasewise.io/dashboards/internal/signal"
)

type dashboardQuery = variants.Dataquery

// rawPanel is a panel of a kind whose options the SDK only knows in a newer form than the oldest Grafana we serve.
type rawPanel struct {
	kind, title, description string
	unit                     signal.Unit
	targets                  []cog.Builder[dashboardQuery]
	overrides                []dashboard.DashboardFieldConfigSourceOverrides
	transformations          []dashboard.DataTransformerConfig
	// options but the legend.
	options map[string]any
	legend  cog.Builder[common.VizLegendOptions]
}

// Build fails when a target or the legend does.
func (p rawPanel) Build() (dashboard.Panel, error) {
	legend, err := p.legend.Build()
	if err != nil {
		return dashboard.Panel{}, err
	}
	options := maps.Clone(p.options)
	options["legend"] = legend
	source := datasource()
	panel := dashboard.Panel{
		Type: p.kind, Title: &p.title, Description: &p.description, Datasource: &source,
		Options: options, Transformations: p.transformations,
		FieldConfig: &dashboard.FieldConfigSource{
			Defaults:  dashboard.FieldConfig{Unit: cog.ToPtr(string(p.unit)), Custom: map[string]any{}},
			Overrides: p.overrides,
		},
	}
	for _, builder := range p.targets {
		built, err := builder.Build()
		if err != nil {
			return dashboard.Panel{}, err
		}
		panel.Targets = append(panel.Targets, built)
	}
	return panel, nil
}
