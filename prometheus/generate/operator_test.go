// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

// The operator's own types say what a resource may hold; decoding is strict, so an unknown field or a wrong type is refused.
func TestOperatorAcceptsTheManifests(t *testing.T) {
	for _, f := range []form{native, classic} {
		var rule monitoring.PrometheusRule
		if err := yaml.UnmarshalStrict([]byte(read(t, "../"+rulesManifest(f))), &rule); err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if rule.Kind != monitoring.PrometheusRuleKind || rule.APIVersion != monitoring.SchemeGroupVersion.String() {
			t.Errorf("%s is %s of %s", f.name, rule.Kind, rule.APIVersion)
		}
		groups := map[string]bool{}
		alerts := 0
		for _, g := range rule.Spec.Groups {
			if groups[g.Name] {
				t.Errorf("%s: two groups are %s; the operator refuses that", f.name, g.Name)
			}
			groups[g.Name] = true
			for _, r := range g.Rules {
				if r.Alert != "" {
					alerts++
				}
				if (r.Alert == "") == (r.Record == "") {
					t.Errorf("%s: a rule of %s has %q and %q; one of both is needed", f.name, g.Name, r.Record, r.Alert)
				}
			}
		}
		if alerts < 30 {
			t.Errorf("%s has %d alerts, fewer than the rule files", f.name, alerts)
		}
	}
}

func TestOperatorAcceptsTheServiceMonitors(t *testing.T) {
	var jobs []string
	for _, document := range strings.Split(read(t, "../operator/servicemonitors.yml"), "---\n") {
		var monitor monitoring.ServiceMonitor
		if err := yaml.UnmarshalStrict([]byte(document), &monitor); err != nil {
			t.Fatal(err)
		}
		if monitor.Kind != monitoring.ServiceMonitorsKind || len(monitor.Spec.Endpoints) != 1 || monitor.Spec.Endpoints[0].Port == "" {
			t.Errorf("%s is %s with endpoints %v", monitor.Name, monitor.Kind, monitor.Spec.Endpoints)
		}
		// Prometheus, canary and brokers are in three namespaces.
		if !monitor.Spec.NamespaceSelector.Any {
			t.Errorf("%s finds services of its own namespace only", monitor.Name)
		}
		jobs = append(jobs, monitor.Spec.Selector.MatchLabels["app.kubernetes.io/name"])
	}
	if got := strings.Join(jobs, " "); got != "kafka-canary kafka-broker kafka-controller" {
		t.Errorf("scraped are %q; the rules rely on these job names", got)
	}
}

// A misspelt field would be dropped in silence by a lenient decoder.
func TestAnUnknownFieldIsNotAccepted(t *testing.T) {
	content := strings.Replace(read(t, "../operator/servicemonitors.yml"), "scrapeTimeout", "timeout", 1)
	var monitor monitoring.ServiceMonitor
	if err := yaml.UnmarshalStrict([]byte(strings.Split(content, "---\n")[0]), &monitor); err == nil {
		t.Error("an endpoint with the field timeout was accepted")
	}
}
