// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func committedSettings(t *testing.T) settings {
	t.Helper()
	s, err := readSettings("../settings.yml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGeneratingAgainChangesNothing(t *testing.T) {
	all, err := outputs(committedSettings(t), read(t, "../prometheus.yml"), read(t, "../links.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range all {
		if got, err := os.ReadFile(filepath.Join("..", path)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the code makes of settings.yml; in prometheus/generate run: go run .", path)
		}
	}
	for _, directory := range []string{"../rules", "../operator"} {
		err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && all[strings.TrimPrefix(path, "../")] == nil {
				t.Errorf("%s is no longer generated; in prometheus/generate run: go run .", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Whoever opens a rule file is sent to what to edit.
func TestEveryRuleFileNamesTheFileThatMakesIt(t *testing.T) {
	for _, f := range ruleFiles(committedSettings(t)) {
		if _, err := os.Stat(f.source); err != nil {
			t.Errorf("%s: %v", f.path, err)
		}
		encoded, err := f.encode()
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(string(encoded), "\n"); f.source == "" || !strings.Contains(first, " generate/"+f.source+" and settings.yml") {
			t.Errorf("%s does not name its source: %s", f.path, first)
		}
	}
}

func TestBothFormsRecordTheSameSeries(t *testing.T) {
	s := committedSettings(t)
	series := func(f form) []string {
		var all []string
		for _, g := range latency(s, f).groups {
			for _, r := range g.rules {
				all = append(all, g.name+" "+r.record+" "+r.labels["quantile"])
			}
		}
		return all
	}
	if got, want := series(classic), series(native); !slices.Equal(got, want) {
		t.Errorf("classic %q, native %q", got, want)
	}
}

// A group is evaluated for one instant, another group for another one. While a fault begins, a mean of all leaders that is some seconds younger than the
// means by leader lies above all of them.
func TestAMeanOfAllLeadersIsOfTheSameInstantAsThoseByLeader(t *testing.T) {
	s := committedSettings(t)
	for _, f := range []form{native, classic} {
		seen := 0
		for _, g := range latency(s, f).groups {
			recorded := map[string]bool{}
			for _, r := range g.rules {
				recorded[r.record+" "+r.labels["phase"]] = true
			}
			for name := range recorded {
				if !strings.Contains(name, ":mean") {
					continue
				}
				seen++
				other := strings.NewReplacer("_by_leader:", "_by_cluster:", "_by_cluster:", "_by_leader:").Replace(name)
				if !recorded[other] {
					t.Errorf("%s, group %s: records %q without %q", f.name, g.name, name, other)
				}
			}
		}
		if seen < 4*len(s.Latency) {
			t.Errorf("%s: %d means", f.name, seen)
		}
	}
}

func TestEveryAlertHasWhatWhoeverIsWokenNeeds(t *testing.T) {
	s := committedSettings(t)
	for _, f := range ruleFiles(s) {
		for _, g := range f.groups {
			for _, r := range g.rules {
				if r.alert == "" {
					continue
				}
				for _, name := range []string{"summary", "description", "runbook_url", "dashboard_url"} {
					if r.annotations[name] == "" {
						t.Errorf("%s has no %s", r.alert, name)
					}
				}
				if !strings.Contains(r.annotations["description"], "Next step: ") {
					t.Errorf("%s does not say what to do next", r.alert)
				}
				if !slices.Contains([]string{critical, warning, "none"}, r.labels["severity"]) || r.labels["team"] == "" {
					t.Errorf("%s has labels %v", r.alert, r.labels)
				}
			}
		}
	}
}

func TestBadSettingsAreRefusedAllAtOnce(t *testing.T) {
	good := read(t, "../settings.yml")
	for name, tc := range map[string]struct {
		old, new string
		says     []string
	}{
		"a baseline kept for no time": {"kept_for: 3d", "kept_for: 0d", []string{`baseline.kept_for is "0d"`, "allowed"}},
		"an unknown key":              {"profiles: default", "profile: default", []string{"profile", "line"}},
		"a share above one":           {"availability_objective: 0.999", "availability_objective: 99.9", []string{"slo.availability_objective is 99.9", "less than 1"}},
		"a window not there":          {"long: 3d, short: 6h", "long: 7d, short: 6h", []string{`"7d" is used and not in slo.windows`}},
		"a window by itself":          {"{window: 30m, interval: 15s}", "{window: half an hour, interval: 15s}", []string{`slo.windows.window is "half an hour"`, "allowed", `"30m" is used`}},
		"no requests":                 {"requests: Produce", "requests: (Produce", []string{`requests is "(Produce`, "a regular expression"}},
		"a threshold nobody reads":    {"gc_ratio: 0.1", "gc_ration: 0.1", []string{"thresholds.gc_ration is read by no rule", "allowed: ", "thresholds.gc_ratio is missing, and generate/rules/kafka-broker-alerts.yml reads it"}},
		"a threshold of 0":            {"gc_ratio: 0.1", "gc_ratio: 0", []string{"thresholds.gc_ratio is 0", "more than 0"}},
		"a role without a step":       {"  - role: client\n    next: \"Check", "  - role: client\n    nix: \"Check", []string{"nix", "line"}},
		"a severity":                  {"severity: warning", "severity: page", []string{`severity is "page"`, "critical, warning"}},
		"an interval":                 {"alert_interval: 5s", "alert_interval: often", []string{`alert_interval is "often"`}},
	} {
		t.Run(name, func(t *testing.T) {
			directory := t.TempDir()
			if err := os.WriteFile(filepath.Join(directory, "settings.yml"), []byte(strings.Replace(good, tc.old, tc.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr strings.Builder
			if code := run([]string{directory}, &stdout, &stderr); code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			for _, part := range tc.says {
				if !strings.Contains(stderr.String(), part) {
					t.Errorf("the message does not say %q: %s", part, stderr.String())
				}
			}
		})
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"a", "b"}, {""}} {
		var stdout, stderr strings.Builder
		if code := run(args, &stdout, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "allowed") {
			t.Errorf("%q: exit code %d, message %q", args, code, stderr.String())
		}
	}
}

// promtool compares the message of a broken template as it compares any other text.
func TestNoTestExpectsABrokenText(t *testing.T) {
	files, err := filepath.Glob("../tests/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	for _, file := range files {
		if strings.Contains(read(t, file), "error expanding template") {
			t.Errorf("%s expects the message of a template that fails", file)
		}
	}
}

// Defined once, for Java, Go and the canary's page alike.
func TestPhasesAreThoseOfTheirDefinition(t *testing.T) {
	var defined []string
	for _, row := range strings.Split(strings.TrimSpace(read(t, "../../common/src/main/resources/io/phasewise/common/phase/phases.csv")), "\n")[1:] {
		phase, _, _ := strings.Cut(row, ",")
		defined = append(defined, phase)
	}
	if !slices.Equal(phases, defined) {
		t.Errorf("phases are %v, defined are %v", phases, defined)
	}
}
