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
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d published
		if err := json.Unmarshal(content, &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var flat []publishedPanel
		for _, p := range d.Panels {
			flat = append(append(flat, p), p.Panels...)
		}
		d.Panels = flat
		all[filepath.Base(file)] = d
	}
	if len(all) == 0 {
		t.Fatal("generated/ holds no dashboard")
	}
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
	if err := generate(fresh); err != nil {
		t.Fatal(err)
	}
	names := func(directory string) []string {
		entries, err := os.ReadDir(directory)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, entry := range entries {
			all = append(all, entry.Name())
		}
		return all
	}
	if got, want := names("generated"), names(fresh); !slices.Equal(got, want) {
		t.Fatalf("generated/ holds %q, but the code makes %q; run: go run .", got, want)
	}
	for _, name := range names(fresh) {
		want, err := os.ReadFile(filepath.Join(fresh, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("generated", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("generated/%s is not what the code makes; run: go run .", name)
		}
	}
}

func TestEveryPanelSaysWhatItShowsAndInWhichUnit(t *testing.T) {
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		if len(p.Description) < 40 {
			t.Errorf("the description is missing or says nothing: %q", p.Description)
		}
		if p.FieldConfig.Defaults.Unit == "" {
			t.Error("no unit")
		}
		if len(p.Targets) == 0 {
			t.Error("no query")
		}
	})
}

func TestNoPanelAveragesOrStacksPercentiles(t *testing.T) {
	keeps := []string{"lastNotNull", "last", "max", "min"}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			query, err := lint.Parse(target.Expr)
			if err != nil {
				t.Fatal(err)
			}
			if err := query.Misuse(); err != nil {
				t.Error(err)
			}
			if !query.IsPercentile() {
				continue
			}
			if mode := p.FieldConfig.Defaults.Custom.Stacking.Mode; mode != "" && mode != "none" {
				t.Errorf("percentiles are stacked (%s)", mode)
			}
			if p.Options.Stacking != nil {
				t.Errorf("percentiles are stacked (%v)", p.Options.Stacking)
			}
			for _, calculation := range slices.Concat(p.Options.Legend.Calcs, p.Options.ReduceOptions.Calcs) {
				if !slices.Contains(keeps, calculation) {
					t.Errorf("percentiles are reduced by %s; allowed: %q", calculation, keeps)
				}
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
			if !target.Instant || target.Range {
				t.Error("a range query's last value would outlive what it measures")
			}
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
			if target.Instant || !target.Range {
				t.Error("Grafana shows exemplars of range queries only")
			}
			query, err := lint.Parse(target.Expr)
			if err != nil {
				t.Fatal(err)
			}
			for _, metric := range query.Metrics() {
				if !slices.Contains(haveThem, metric) {
					t.Errorf("%s has no exemplars", metric)
				}
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
		if !slices.Equal(got, want) {
			t.Errorf("%s: exemplars on %q, want %q", file, got, want)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(content), link) {
			t.Errorf("%s lacks%s", file, link)
		}
	}
}

func TestOnlyPromisedMetricsAreUsed(t *testing.T) {
	contract, err := lint.ReadContract("..")
	if err != nil {
		t.Fatal(err)
	}
	eachPanel(t, func(t *testing.T, p publishedPanel) {
		for _, target := range p.Targets {
			query, err := lint.Parse(target.Expr)
			if err != nil {
				t.Fatal(err)
			}
			for _, metric := range query.Metrics() {
				if !contract.Promises(metric) {
					t.Errorf("%s is exported by nothing, documented nowhere and recorded by no rule", metric)
				}
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
				if !defined[use[1]] {
					t.Errorf("%s: $%s is not a variable of the dashboard: %s", file, use[1], query)
				}
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
			if err != nil {
				t.Fatal(err)
			}
			if many.MatchString(target.Legend) && !query.KeepsFew(lines) {
				t.Errorf("%q can give more than %d lines: %s", target.Legend, lines, target.Expr)
			}
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
		if mayBe[p.Targets[0].Expr] && p.FieldConfig.Defaults.NoValue == "" {
			t.Error("it may be empty and does not say why")
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
		if hidden < 8 {
			t.Errorf("%s: %d panels are in collapsed rows", file, hidden)
		}
	}
}

func TestTheOverviewFitsAScreen(t *testing.T) {
	// 1080 pixels, less Grafana's own bars, in grid units of 38 pixels.
	const screen = 25
	for _, p := range committed(t)[pages.Overview].Panels {
		if bottom := p.GridPos.Y + p.GridPos.H; bottom > screen {
			t.Errorf("%s ends at %d of %d units", p.Title, bottom, screen)
		}
		if right := p.GridPos.X + p.GridPos.W; right > 24 {
			t.Errorf("%s ends at column %d of 24", p.Title, right)
		}
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"a", "b"}, {""}} {
		var stdout, stderr strings.Builder
		if code := run(args, &stdout, &stderr); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", args, code, exitUsage)
		}
		if !strings.Contains(stderr.String(), "allowed") {
			t.Errorf("%q: the message does not say what is allowed: %s", args, stderr.String())
		}
	}
}
