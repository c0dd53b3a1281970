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
	Type, Title string
	// Of a row.
	Collapsed bool
}

func dashboardsPage(all map[string]board.Dashboard) (string, error) {
	var page strings.Builder
	page.WriteString("# Dashboards\n\n" + note)
	page.WriteString("What each dashboard answers, the panels above its first row, and its rows in **bold**. The **i** of a panel in Grafana says how to read it and what to do. How to read dashboards: [reading-the-dashboards.md](../how-to/reading-the-dashboards.md). How to import them: [dashboards/README.md](../../dashboards/README.md).\n\n")
	page.WriteString(headings("dashboard", "path in Grafana", "file", "answers"))
	files := slices.Sorted(maps.Keys(all))
	for _, file := range files {
		d := all[file]
		link := "[" + d.Title + "](#" + strings.ReplaceAll(strings.ToLower(d.Title), " ", "-") + ")"
		page.WriteString(row(link, code("/d/"+d.UID), code(file), d.Description))
	}
	page.WriteString("\n" + headings("variable", "is", "on"))
	page.WriteString(variables(files, all))
	for _, file := range files {
		page.WriteString("\n## " + all[file].Title + "\n\n")
		lines, err := rows(all[file])
		if err != nil {
			return "", err
		}
		for _, each := range lines {
			page.WriteString("- " + each + "\n")
		}
	}
	return page.String(), nil
}

// variables are all that can be chosen, in the order in which dashboards show them.
func variables(files []string, all map[string]board.Dashboard) string {
	var names []string
	words := map[string]board.Variable{}
	on := map[string][]string{}
	for _, file := range files {
		for _, v := range all[file].Variables {
			if _, seen := words[v.Name]; !seen {
				names = append(names, v.Name)
				words[v.Name] = v
			}
			on[v.Name] = append(on[v.Name], all[file].Title)
		}
	}
	var table strings.Builder
	for _, name := range names {
		where := strings.Join(on[name], ", ")
		if len(on[name]) == len(files) {
			where = "all"
		}
		table.WriteString(row(code(name), words[name].Description, where))
	}
	return table.String()
}

// rows are a dashboard's, and before them the panels that stand above the first one.
func rows(d board.Dashboard) ([]string, error) {
	rendered, err := d.JSON()
	if err != nil {
		return nil, err
	}
	var shown struct{ Panels []panel }
	if err := json.Unmarshal(rendered, &shown); err != nil {
		return nil, err
	}
	var above, rows []string
	for _, p := range shown.Panels {
		switch {
		case p.Type == "row" && p.Collapsed:
			rows = append(rows, "**"+p.Title+"**, closed at first")
		case p.Type == "row":
			rows = append(rows, "**"+p.Title+"**")
		case len(rows) == 0:
			above = append(above, p.Title)
		}
	}
	if len(above) > 0 {
		rows = append([]string{strings.Join(above, "; ")}, rows...)
	}
	return rows, nil
}
