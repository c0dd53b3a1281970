// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"phasewise.io/dashboards/internal/lint"
	"phasewise.io/dashboards/internal/pages"
)

// The parts of a dashboard's JSON that the rules below are about, as Grafana reads them.
type published struct {
	Panels     []publishedPanel `json:"panels"`
	Templating struct {
		List []struct {
			Name  string `json:"name"`
			Query any    `json:"query"`
		} `json:"list"`
	} `json:"templating"`
}

type publishedPanel struct {
	ID          int    `json:"id"`
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Of a row that is collapsed.
	Panels  []publishedPanel `json:"panels"`
	Targets []struct {
		Expr     string `json:"expr"`
		Legend   string `json:"legendFormat"`
		Instant  bool   `json:"instant"`
		Range    bool   `json:"range"`
		Exemplar bool   `json:"exemplar"`
	} `json:"targets"`
	GridPos struct{ X, Y, W, H int } `json:"gridPos"`
	Options struct {
		// A string where all of a panel is stacked or nothing.
		Stacking any `json:"stacking"`
		Legend   struct {
			Calcs []string `json:"calcs"`
		} `json:"legend"`
		ReduceOptions struct {
			Calcs []string `json:"calcs"`
		} `json:"reduceOptions"`
	} `json:"options"`
	FieldConfig struct {
		Defaults struct {
			Unit    string `json:"unit"`
			NoValue string `json:"noValue"`
			Custom  struct {
				Stacking struct {
					Mode string `json:"mode"`
				} `json:"stacking"`
			} `json:"custom"`
		} `json:"defaults"`
	} `json:"fieldConfig"`
}

func committed(t *testing.T) map[string]published {
	t.Helper()
	all := map[string]published{}
	files, err := filepath.Glob("generated/*.json")
	require.NoError(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		var d published
		require.NoError(t, json.Unmarshal(content, &d), file)
		var flat []publishedPanel
		for _, p := range d.Panels {
			flat = append(append(flat, p), p.Panels...)
		}
		d.Panels = flat
		all[filepath.Base(file)] = d
	}
	require.NotEmpty(t, all, "generated/ holds no dashboard")
	return all
}

// eachPanel calls check for every panel that shows data, of every committed dashboard.
func eachPanel(t *testing.T, check func(t *testing.T, p publishedPanel)) {
	for file, d := range committed(t) {
		for _, p := range d.Panels {
			if p.Type == "row" || p.Type == "text" {
				continue
			}
			t.Run(file+"/"+p.Title, func(t *testing.T) { check(t, p) })
		}
	}
}

// eachQuery calls check for every query of every panel, each query once.
func eachQuery(t *testing.T, check func(t *testing.T, query string)) {
	seen := map[string]bool{}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			if !seen[target.Expr] {
				seen[target.Expr] = true
				check(t, target.Expr)
			}
		}
	})
}

func TestGeneratingAgainChangesNothing(t *testing.T) {
	fresh := t.TempDir()
	require.NoError(t, generate(fresh))
	names := func(directory string) []string {
		entries, err := os.ReadDir(directory)
		require.NoError(t, err)
		var all []string
		for _, entry := range entries {
			all = append(all, entry.Name())
		}
		return all
	}
	require.Equal(t, names(fresh), names("generated"), "generated/ holds")
	for _, name := range names(fresh) {
		want, err := os.ReadFile(filepath.Join(fresh, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("generated", name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(got, want), "generated/%s is not what the code makes; run: go run .", name)
	}
}

func TestEveryPanelSaysWhatItShowsAndInWhichUnit(t *testing.T) {
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		assert.GreaterOrEqual(t, len(p.Description), 40, "how to read it and what to do are too short together: %q", p.Description)
		assert.NotEmpty(t, p.FieldConfig.Defaults.Unit, "no unit")
		assert.NotEmpty(t, p.Targets, "no query")
	})
}

func TestNoPanelAveragesOrStacksPercentiles(t *testing.T) {
	keeps := []string{"lastNotNull", "last", "max", "min"}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			query, err := lint.Parse(target.Expr)
			require.NoError(t, err)
			assert.NoError(t, query.Misuse())
			if !query.IsPercentile() {
				continue
			}
			assert.Contains(t, []string{"", "none"}, p.FieldConfig.Defaults.Custom.Stacking.Mode, "percentiles are stacked")
			assert.Nil(t, p.Options.Stacking, "percentiles are stacked (%v)", p.Options.Stacking)
			for _, calculation := range slices.Concat(p.Options.Legend.Calcs, p.Options.ReduceOptions.Calcs) {
				assert.Contains(t, keeps, calculation, "what percentiles are reduced by")
			}
		}
	})
}

func TestANumberForNowIsAskedForNow(t *testing.T) {
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		if p.Type != "stat" && p.Type != "table" && p.Type != "barchart" {
			return
		}
		for _, target := range p.Targets {
			assert.True(t, target.Instant && !target.Range, "a range query's last value would outlive what it measures")
		}
	})
}

// Of what is recorded there are no exemplars.
func TestExemplarsAreAskedOfWhatTheCanaryExports(t *testing.T) {
	haveThem := []string{
		"kafka_canary_end_to_end_latency_seconds", "kafka_canary_end_to_end_latency_seconds_bucket",
		"kafka_canary_phase_latency_seconds", "kafka_canary_phase_latency_seconds_bucket",
	}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			if !target.Exemplar {
				continue
			}
			assert.True(t, target.Range && !target.Instant, "Grafana shows exemplars of range queries only")
			query, err := lint.Parse(target.Expr)
			require.NoError(t, err)
			for _, metric := range query.Metrics() {
				assert.Contains(t, haveThem, metric, "%s has no exemplars", metric)
			}
		}
	})
}

func TestGraphsOfTheCanarysLatencyShowSingleProbes(t *testing.T) {
	all := committed(t)
	for file, want := range map[string][]string{
		pages.Overview: {"End-to-end ${percentile:text} by leader", "End-to-end latency, all probes"},
		"kafka-phase-drill-down.json": {
			"produce, ${percentile:text} by leader", "publish, ${percentile:text} by leader", "commit, ${percentile:text} by leader",
			"catch_up, ${percentile:text} by leader", "fetch, ${percentile:text} by leader",
		},
		"kafka-sites.json": {"End-to-end ${percentile:text} by site", "End-to-end ${percentile:text} by site and leader"},
	} {
		var got []string
		for _, p := range all[file].Panels {
			for _, target := range p.Targets {
				if target.Exemplar {
					got = append(got, p.Title)
				}
			}
		}
		assert.Equal(t, want, got, "%s: exemplars on", file)
	}
}

// Without the variable the UID is empty, and Grafana makes no link.
func TestADataSourceMakesLinksOfExemplars(t *testing.T) {
	const link = `
      exemplarTraceIdDestinations:
        - name: trace_id
          datasourceUid: ${PHASEWISE_TRACES_DATASOURCE}
`
	for _, file := range []string{"provisioning/datasources/prometheus.yml", "provisioning/secured/prometheus.yml"} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(content), link, "%s lacks%s", file, link)
	}
}

func TestOnlyPromisedMetricsAreUsed(t *testing.T) {
	contract, err := lint.ReadContract("..")
	require.NoError(t, err)
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			query, err := lint.Parse(target.Expr)
			require.NoError(t, err)
			for _, metric := range query.Metrics() {
				assert.True(t, contract.Promises(metric), "%s is exported by nothing, documented nowhere and recorded by no rule", metric)
			}
		}
	})
}

func TestEveryVariableUsedIsDefined(t *testing.T) {
	variable := regexp.MustCompile(`\$\{?([a-z_]+)\}?`)
	for file, d := range committed(t) {
		defined := map[string]bool{"__rate_interval": true, "__interval": true, "__range": true}
		var queries []string
		for _, v := range d.Templating.List {
			defined[v.Name] = true
			if query, ok := v.Query.(string); ok {
				queries = append(queries, query)
			}
		}
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				queries = append(queries, target.Expr)
			}
		}
		for _, query := range queries {
			for _, use := range variable.FindAllStringSubmatch(query, -1) {
				assert.True(t, defined[use[1]], "%s: $%s is not a variable of the dashboard: %s", file, use[1], query)
			}
		}
	}
}

func TestNoGraphHasALineForEachOfAHundred(t *testing.T) {
	const lines = 8
	// What there are a hundred of, in a large installation.
	many := regexp.MustCompile(`{{(broker|leader|client_id|instance|cluster|partition|topic)}}`)
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		if p.Type != "timeseries" {
			return
		}
		for _, target := range p.Targets {
			query, err := lint.Parse(target.Expr)
			require.NoError(t, err)
			assert.True(t, !many.MatchString(target.Legend) || query.KeepsFew(lines),
				"%q can give more than %d lines: %s", target.Legend, lines, target.Expr)
		}
	})
}

// An empty box that does not say why looks broken.
func TestWhatMayBeEmptySaysWhy(t *testing.T) {
	mayBe := map[string]bool{}
	for _, d := range pages.All() {
		for _, s := range d.Signals() {
			mayBe[s.Query] = s.MayBeEmpty != ""
		}
	}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		if p.Type != "timeseries" && p.Type != "stat" && p.Type != "table" || len(p.Targets) == 0 {
			return
		}
		if mayBe[p.Targets[0].Expr] {
			assert.NotEmpty(t, p.FieldConfig.Defaults.NoValue, "it may be empty and does not say why")
		}
	})
}

// Ten empty boxes are nine too many.
func TestWhatFewHaveIsOneLineUntilItIsOpened(t *testing.T) {
	for _, file := range []string{"kafka-tiered-storage.json", "kafka-clients.json"} {
		d := committed(t)[file]
		if first := d.Panels[0]; first.Type != "stat" || first.FieldConfig.Defaults.NoValue == "" {
			t.Errorf("%s does not begin with a line that says whether it is there", file)
		}
		var hidden int
		for _, p := range d.Panels {
			hidden += len(p.Panels)
		}
		assert.GreaterOrEqual(t, hidden, 8, "%s: %d panels are in collapsed rows", file, hidden)
	}
}

func TestTheOverviewFitsAScreen(t *testing.T) {
	// 1080 pixels, less Grafana's own bars, in grid units of 38 pixels.
	const screen = 25
	for _, p := range committed(t)[pages.Overview].Panels {
		assert.LessOrEqual(t, p.GridPos.Y+p.GridPos.H, screen, "where %s ends, in units", p.Title)
		assert.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, "the column where %s ends", p.Title)
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"a", "b"}, {""}} {
		var stdout, stderr strings.Builder
		assert.Equal(t, exitUsage, run(args, &stdout, &stderr), "%q", args)
		assert.Contains(t, stderr.String(), "allowed", "%q: the message does not say what is allowed", args)
	}
}
