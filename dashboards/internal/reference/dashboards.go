// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"phasewise.io/dashboards/internal/board"
)

// panel is what Grafana shows of one, as far as the page tells it.
type panel struct {
	Type        string
	Title       string
	Description string
	// Of a row that is collapsed.
	Panels []panel
}

func dashboardsPage(all map[string]board.Dashboard) (string, error) {
	var page strings.Builder
	page.WriteString("# Dashboards\n\n" + note)
	page.WriteString("What each dashboard answers, by row and panel. A panel's own description in Grafana says the same. How to read them: [reading-the-dashboards.md](../how-to/reading-the-dashboards.md). How to import them: [dashboards/README.md](../../dashboards/README.md).\n\n")
	page.WriteString(headings("dashboard", "path in Grafana", "file", "answers"))
	files := slices.Sorted(maps.Keys(all))
	for _, file := range files {
		d := all[file]
		link := "[" + d.Title + "](#" + strings.ReplaceAll(strings.ToLower(d.Title), " ", "-") + ")"
		page.WriteString(row(link, code("/d/"+d.UID), code(file), d.Description))
	}
	for _, file := range files {
		rendered, err := all[file].JSON()
		if err != nil {
			return "", err
		}
		var shown struct{ Panels []panel }
		if err := json.Unmarshal(rendered, &shown); err != nil {
			return "", err
		}
		page.WriteString("\n## " + all[file].Title + "\n\n" + headings("row", "panel", "how to read it, what to do"))
		question := ""
		for _, p := range shown.Panels {
			if p.Type == "row" {
				question = p.Title
				for _, hidden := range p.Panels {
					page.WriteString(hidden.row(question))
				}
				continue
			}
			page.WriteString(p.row(question))
		}
	}
	return page.String(), nil
}

func (p panel) row(question string) string { return row(question, p.Title, p.Description) }
