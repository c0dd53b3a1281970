// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"phasewise.io/dashboards/internal/pages"
)

const repository = "../../.."

func TestThePagesAreWhatTheProductSays(t *testing.T) {
	all, err := Pages(repository, pages.All())
	require.NoError(t, err)
	for name, want := range all {
		got, err := os.ReadFile(File(repository, name))
		assert.NoError(t, err)
		assert.True(t, string(got) == want, "%s is out of date; run docs/generate", name)
	}
}

func TestWhichAlertsNeedTheExporter(t *testing.T) {
	set, err := readRules(repository)
	require.NoError(t, err)
	needs := map[string]string{}
	for _, alert := range set.sortedAlerts() {
		needs[alert.Alert] = set.need(alert)
	}
	for alert, want := range map[string]string{
		"MostProbesBad":            "",
		"PhaseRegression":          "",
		"CanaryStarved":            "",
		"BrokerAgentUnreachable":   "needed",
		"BrokerDegraded":           "needed",
		"BrokerDown":               "needed",
		"EstimateMistaken":         "needed",
		"RequestHandlersSaturated": "needed",
	} {
		assert.Equal(t, want, needs[alert], alert)
	}
}

func TestTheFirstSentenceOfARunbookSaysWhenItsAlertFires(t *testing.T) {
	directory := t.TempDir()
	runbooks := filepath.Join(directory, "alerting/runbooks")
	require.NoError(t, os.MkdirAll(runbooks, 0o755))
	for name, text := range map[string]string{
		"Plain":      "# Plain\n\n## Meaning\n\nMore than 0.5 s, says [the broker](x.md). More.\n",
		"BySeverity": "# BySeverity\n\n**critical**: no canary is up. More.\n\n**warning**: one of several\nis down.\n",
		"Nothing":    "# Nothing\n\n| a | table |\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(runbooks, name+".md"), []byte(text), 0o644))
	}
	for name, want := range map[string]string{"Plain": "More than 0.5 s, says the broker.", "BySeverity": "One of several\nis down."} {
		got, err := firstSentence(directory, name, "warning")
		assert.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	_, err := firstSentence(directory, "Nothing", "warning")
	assert.Error(t, err, "a runbook without a sentence")
}
