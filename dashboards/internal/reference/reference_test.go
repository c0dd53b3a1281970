// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"os"
	"path/filepath"
	"testing"

	"phasewise.io/dashboards/internal/pages"
)

const repository = "../../.."

func TestThePagesAreWhatTheProductSays(t *testing.T) {
	all, err := Pages(repository, pages.All())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		if got, err := os.ReadFile(File(repository, name)); err != nil || string(got) != want {
			t.Errorf("%s is out of date; run build/reference", name)
		}
	}
}

func TestWhichAlertsNeedTheExporter(t *testing.T) {
	set, err := readRules(repository)
	if err != nil {
		t.Fatal(err)
	}
	needs := map[string]string{}
	for _, alert := range set.sortedAlerts() {
		needs[alert.Alert] = set.need(alert)
	}
	for alert, want := range map[string]string{
		"MostProbesBad":            "",
		"PhaseRegression":          "",
		"CanaryStarved":            "",
		"BrokerDegraded":           "helps",
		"GrayFailure":              "needed",
		"BrokerDown":               "needed",
		"EstimateMistaken":         "needed",
		"RequestHandlersSaturated": "needed",
	} {
		if needs[alert] != want {
			t.Errorf("%s: %q, want %q", alert, needs[alert], want)
		}
	}
}

func TestTheFirstSentenceOfARunbookSaysWhenItsAlertFires(t *testing.T) {
	directory := t.TempDir()
	runbooks := filepath.Join(directory, "alerting/runbooks")
	if err := os.MkdirAll(runbooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"Plain":      "# Plain\n\n## Meaning\n\nMore than 0.5 s, says [the broker](x.md). More.\n",
		"BySeverity": "# BySeverity\n\n**critical**: no canary is up. More.\n\n**warning**: one of several\nis down.\n",
		"Nothing":    "# Nothing\n\n| a | table |\n",
	} {
		if err := os.WriteFile(filepath.Join(runbooks, name+".md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"Plain": "More than 0.5 s, says the broker.", "BySeverity": "One of several\nis down."} {
		if got, err := firstSentence(directory, name, "warning"); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, want)
		}
	}
	if _, err := firstSentence(directory, "Nothing", "warning"); err == nil {
		t.Error("a runbook without a sentence was accepted")
	}
}
