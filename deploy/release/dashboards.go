// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// What grafana.com asks for before it imports a dashboard: which data source is meant. The dashboards have a variable of their own for it.
const dataSource = "DS_PROMETHEUS"

// forGrafanaCom is a dashboard with the inputs and requirements that grafana.com wants in a file that is uploaded.
func forGrafanaCom(generated []byte) ([]byte, error) {
	var board map[string]any
	if err := json.Unmarshal(generated, &board); err != nil {
		return nil, err
	}
	templating, _ := board["templating"].(map[string]any)
	variables, _ := templating["list"].([]any)
	found := false
	for _, each := range variables {
		variable, _ := each.(map[string]any)
		if variable["type"] == "datasource" && variable["query"] == "prometheus" {
			variable["current"] = map[string]any{"text": "${" + dataSource + "}", "value": "${" + dataSource + "}"}
			found = true
		}
	}
	if !found {
		return nil, fmt.Errorf("%v has no variable for its data source", board["title"])
	}
	board["__inputs"] = []any{map[string]any{
		"name": dataSource, "label": "Prometheus", "description": "The Prometheus that scrapes the canary and the brokers", "type": "datasource",
		"pluginId": "prometheus", "pluginName": "Prometheus",
	}}
	requires := []any{
		map[string]any{"type": "grafana", "id": "grafana", "name": "Grafana", "version": "9.4.0"},
		map[string]any{"type": "datasource", "id": "prometheus", "name": "Prometheus", "version": "1.0.0"},
	}
	var kinds []string
	panelsOf(board["panels"], func(kind string) { kinds = append(kinds, kind) })
	slices.Sort(kinds)
	for _, kind := range slices.Compact(kinds) {
		requires = append(requires, map[string]any{"type": "panel", "id": kind, "name": kind, "version": ""})
	}
	board["__requires"] = requires
	board["__elements"] = map[string]any{}
	// Grafana gives numbers of its own; one of another server must not be taken over.
	board["id"] = nil
	text, err := json.MarshalIndent(board, "", "  ")
	return append(text, '\n'), err
}

func panelsOf(list any, see func(kind string)) {
	panels, _ := list.([]any)
	for _, each := range panels {
		panel, _ := each.(map[string]any)
		if kind, is := panel["type"].(string); is && kind != "row" {
			see(kind)
		}
		panelsOf(panel["panels"], see)
	}
}
