// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

// everyAlert calls with each alerting rule and its group.
func everyAlert(t *testing.T, look func(group, rule)) {
	t.Helper()
	for _, f := range ruleFiles(committedSettings(t)) {
		for _, g := range f.groups {
			for _, r := range g.rules {
				if r.alert != "" {
					look(g, r)
				}
			}
		}
	}
}

func TestEveryRunbookThatAnAlertLinksToIsThere(t *testing.T) {
	pages := regexp.MustCompile(`[a-z/]*/\w+\.md`)
	everyAlert(t, func(_ group, r rule) {
		found := pages.FindAllString(r.annotations["runbook_url"], -1)
		// With an address of the user's before it, and by its path in the repository.
		if len(found) != 2 || found[0] != "/"+r.alert+".md" || found[1] != runbookDirectory+found[0] {
			t.Fatalf("%s links to %q", r.alert, found)
		}
		if _, err := os.Stat(filepath.Join("../..", found[1])); err != nil {
			t.Errorf("%s: %v", r.alert, err)
		}
	})
}

// Grafana answers an unknown UID with 404, and ignores an unknown variable.
func TestTheDashboardThatAnAlertLinksToIsThereWithItsVariables(t *testing.T) {
	variables := map[string]map[string]bool{}
	files, err := filepath.Glob("../../dashboards/generated/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no dashboards: %v", err)
	}
	for _, file := range files {
		var dashboard struct {
			UID        string
			Templating struct{ List []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(read(t, file)), &dashboard); err != nil {
			t.Fatal(err)
		}
		variables[dashboard.UID] = map[string]bool{}
		for _, v := range dashboard.Templating.List {
			variables[dashboard.UID][v.Name] = true
		}
	}
	uid := regexp.MustCompile(`/d/([\w-]+)\?`)
	variable := regexp.MustCompile(`var-(\w+)=`)
	everyAlert(t, func(_ group, r rule) {
		link := r.annotations["dashboard_url"]
		match := uid.FindStringSubmatch(link)
		if match == nil || variables[match[1]] == nil {
			t.Fatalf("%s links to %s, which is no dashboard", r.alert, link)
		}
		used := variable.FindAllStringSubmatch(link, -1)
		if len(used) < 2 {
			t.Errorf("%s sets only %v", r.alert, used)
		}
		for _, v := range used {
			if !variables[match[1]][v[1]] {
				t.Errorf("%s sets %s, which the dashboard does not have", r.alert, v[0])
			}
		}
	})
}

// An address that is shipped is the user's nowhere.
func TestNoAlertHasAnAddressOfItsOwn(t *testing.T) {
	everyAlert(t, func(_ group, r rule) {
		for name, text := range r.annotations {
			if strings.Contains(text, "://") {
				t.Errorf("%s of %s has an address: %s", name, r.alert, text)
			}
		}
	})
}

// The interval of the Prometheus that loads them may be longer than a page can wait for.
func TestEveryAlertIsEvaluatedAtItsOwnInterval(t *testing.T) {
	everyAlert(t, func(g group, r rule) {
		if g.interval == "" || g.interval.seconds() > 5 {
			t.Errorf("%s is evaluated every %q", r.alert, g.interval)
		}
	})
}

func TestTheOperatorsLinksAreThoseOfTheFile(t *testing.T) {
	var rule monitoring.PrometheusRule
	if err := yaml.UnmarshalStrict([]byte(read(t, "../operator/prometheusrule-links.yml")), &rule); err != nil {
		t.Fatal(err)
	}
	// deploy/README.md has a patch to this place.
	links := rule.Spec.Groups[0].Rules[0]
	if links.Record != "phasewise:links" || len(links.Labels) != 2 {
		t.Errorf("%+v", links)
	}
	for name, address := range links.Labels {
		if name != "runbooks" && name != "grafana" || address != "" {
			t.Errorf("what is shipped sets %s to %q", name, address)
		}
	}
	var server struct {
		RuleFiles []string `json:"rule_files"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "../prometheus.yml")), &server); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(server.RuleFiles, "links.yml") {
		t.Error("prometheus.yml does not load links.yml")
	}
}
