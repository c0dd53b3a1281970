// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func runbook(t *testing.T, alert string) string {
	t.Helper()
	return read(t, filepath.Join("../alerting/runbooks", alert+".md"))
}

func TestTheRunbookKnowsWhoStartsTheCanaryAgain(t *testing.T) {
	text := runbook(t, "CanaryDown")
	unit := read(t, "debian/phasewise-canary.service")
	if restart := find(t, unit, `(?m)^(Restart=.+)$`); !strings.Contains(text, restart) {
		t.Errorf("the unit has %s, the runbook does not say so", restart)
	}
	// Each way to run it has its row, with where to look.
	for _, row := range []string{"./phasewise up", "Docker Compose", "systemd", "Kubernetes"} {
		if !regexp.MustCompile(`\| .?` + regexp.QuoteMeta(row) + `.? \|.+\|.+\|`).MatchString(text) {
			t.Errorf("no row for %s", row)
		}
	}
	selector := canaryOf(t, "canary").Spec.Selector.MatchLabels["app.kubernetes.io/name"]
	if !strings.Contains(text, "-l app.kubernetes.io/name="+selector) {
		t.Errorf("the runbook does not find pods of %s", selector)
	}
}

func TestTheRunbookAsksForTheProcessorThatTheDeploymentHas(t *testing.T) {
	text := runbook(t, "CanaryStarved")
	limited := !canaryOf(t, "canary").Spec.Template.Spec.Containers[0].Resources.Limits.Cpu().IsZero()
	if advised := !strings.Contains(text, "set no limit on processor time"); advised != limited {
		t.Errorf("the deployment has a limit: %v; the runbook advises one: %v", limited, advised)
	}
}

// What a runbook or a rule says of the exporter has to be so: it reads every series of a broker that an alert needs.
func TestTheExporterReadsWhatAlertsOnBrokersNeed(t *testing.T) {
	rules := strings.ToLower(read(t, "../exporter/rules/kafka-broker.yml"))
	alerts := read(t, "../prometheus/rules/kafka-broker-alerts.yml")
	beans := regexp.MustCompile(`kafka_server_brokertopicmetrics_(\w+)`).FindAllStringSubmatch(alerts, -1)
	if len(beans) == 0 {
		t.Fatal("no alert reads brokertopicmetrics")
	}
	for _, bean := range beans {
		if !strings.Contains(rules, "name="+bean[1]+"\n") {
			t.Errorf("the exporter does not read %s", bean[1])
		}
	}
	files, err := filepath.Glob("../alerting/runbooks/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no runbooks: %v", err)
	}
	for _, file := range append(files, "../prometheus/rules/kafka-broker-alerts.yml") {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if match := regexp.MustCompile(`exporter's rules?( file)? do(es)? not read`).Find(content); match != nil {
			t.Errorf("%s: %s", file, match)
		}
	}
}
