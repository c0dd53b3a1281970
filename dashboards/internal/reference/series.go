// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

var windowed = regexp.MustCompile(`^(.*:[a-z_]+)(\d+[smhd])$`)

// series is what is said of a recorded series, over whichever window.
type series struct{ labels, meaning string }

func seriesPage(repository string, set *ruleSet) (string, error) {
	described, order, err := readSeries(filepath.Join(repository, "prometheus/series.csv"))
	if err != nil {
		return "", err
	}
	windows := map[string][]string{}
	intervals := map[string][]time.Duration{}
	for _, r := range set.rules {
		if r.Record == "" {
			continue
		}
		stem, window := r.Record, ""
		if found := windowed.FindStringSubmatch(r.Record); found != nil {
			stem, window = found[1], found[2]
		}
		if !slices.Contains(windows[stem], window) {
			windows[stem] = append(windows[stem], window)
		}
		if every := time.Duration(r.interval); !slices.Contains(intervals[stem], every) {
			intervals[stem] = append(intervals[stem], every)
		}
	}
	var faults []error
	for stem := range windows {
		if _, has := described[stem]; !has {
			faults = append(faults, fmt.Errorf("prometheus/series.csv does not say what %s means", stem))
		}
	}
	var page strings.Builder
	page.WriteString("# Recorded series\n\n" + note)
	page.WriteString("What `prometheus/rules` records. Names are `level:metric:operation`, then the window. All series have the label `cluster`. Where nothing was observed a percentile is NaN. What the rules cost: [benchmarks.md](../evidence/benchmarks.md#rules).\n\n")
	page.WriteString(headings("series", "every", "labels beside cluster", "meaning"))
	for _, stem := range order {
		if windows[stem] == nil {
			if strings.Contains(stem, "_by_cluster:") {
				continue
			}
			faults = append(faults, fmt.Errorf("prometheus/series.csv: no rule records %s", stem))
			continue
		}
		page.WriteString(row(nameAll(stem, windows[stem]), every(intervals[stem]), described[stem].labels, described[stem].meaning))
	}
	return page.String(), errors.Join(faults...)
}

// length of a window; 0 where there is none.
func length(window string) model.Duration {
	d, _ := model.ParseDuration(window)
	return d
}

// nameAll is the whole name over each window.
func nameAll(stem string, windows []string) string {
	slices.SortFunc(windows, func(a, b string) int { return cmp.Compare(length(a), length(b)) })
	var all []string
	for _, window := range windows {
		all = append(all, code(stem+window))
	}
	return strings.Join(all, ", ")
}

func every(intervals []time.Duration) string {
	slices.Sort(intervals)
	var all []string
	for _, each := range intervals {
		all = append(all, model.Duration(each).String())
	}
	return strings.Join(all, ", ")
}

// readSeries gives what is said of each, and in which order.
func readSeries(file string) (map[string]series, []string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	all := map[string]series{}
	var order []string
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		cells := strings.SplitN(line, "; ", 3)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(cells) != 3 {
			return nil, nil, fmt.Errorf("%s: %q: expected three cells", file, line)
		}
		add := func(name string, s series) {
			all[name] = s
			order = append(order, name)
		}
		add(cells[0], series{cells[1], cells[2]})
		if name := strings.Replace(cells[0], "_by_leader", "_by_cluster", 1); name != cells[0] {
			add(name, series{strings.Replace(cells[1], ", leader", "", 1), "The same, of all leaders together."})
		}
	}
	return all, order, nil
}
