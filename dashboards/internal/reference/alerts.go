// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	link     = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	sentence = regexp.MustCompile(`(?s)^(.+?[^.])[.](\s+\S|$)`)
	broker   = regexp.MustCompile(`abels\.(broker|leader)\b`)
	phase    = regexp.MustCompile(`abels\.phase\b`)
)

func alertsPage(repository string, set *ruleSet) (string, error) {
	var table, expressions strings.Builder
	last := ""
	for _, r := range set.sortedAlerts() {
		meaning, err := firstSentence(repository, r.Alert, r.Labels["severity"])
		if err != nil {
			return "", err
		}
		name := r.Alert
		if window := r.Labels["window"]; window != "" {
			name += " (" + window + ")"
		}
		table.WriteString(row("["+name+"](#"+strings.ToLower(r.Alert)+")", r.Labels["severity"], held(r), meaning, set.need(r), names(r),
			fmt.Sprintf("[%s](../../alerting/runbooks/%s.md)", r.Alert, r.Alert)))
		if r.Alert != last {
			expressions.WriteString("\n### " + r.Alert + "\n")
			last = r.Alert
		}
		expressions.WriteString("\n```\n" + strings.TrimSpace(r.Expr) + "\n```\n")
	}
	return "# Alerts\n\n" + note +
		"*for*: how long the condition has to hold. *exporter*: `needed` where an alert cannot fire without the brokers' exporters, `helps` where it is more exact with them. *names*: what of a fault its text says. What each alert means, in full: its runbook. Thresholds: `prometheus/settings.yml`. Who gets it: [alerting/README.md](../../alerting/README.md).\n\n" +
		headings("alert", "severity", "for", "fires when", "exporter", "names", "runbook") + table.String() +
		"\n## Conditions\n\nThe expressions, with the thresholds as delivered. Recorded series: [recorded-series.md](recorded-series.md).\n" + expressions.String(), nil
}

// sortedAlerts are by severity, then by name.
func (s *ruleSet) sortedAlerts() []rule {
	var all []rule
	for _, r := range s.rules {
		if r.Alert != "" {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b rule) int {
		return strings.Compare(a.Labels["severity"]+a.Alert, b.Labels["severity"]+b.Alert)
	})
	return all
}

func held(r rule) string {
	if r.For == 0 {
		return "at once"
	}
	return r.For.String()
}

func (s *ruleSet) need(r rule) string {
	switch {
	case !s.survives(r.parsed):
		return "needed"
	case s.reads(r.parsed, map[string]bool{}):
		return "helps"
	default:
		return ""
	}
}

// names is what of a fault the alert's text can say: its template reads these labels.
func names(r rule) string {
	var all []string
	text := r.Annotations["summary"] + r.Annotations["description"]
	if phase.MatchString(text) {
		all = append(all, "phase")
	}
	if broker.MatchString(text) {
		all = append(all, "broker")
	}
	return strings.Join(all, ", ")
}

// firstSentence is what an alert's runbook begins with, without links. Where paragraphs are by severity it is of that one.
func firstSentence(repository, alert, severity string) (string, error) {
	file := filepath.Join(repository, "alerting/runbooks", alert+".md")
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	first := ""
	for _, paragraph := range strings.Split(string(content), "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		if paragraph == "" || strings.HasPrefix(paragraph, "#") || strings.HasPrefix(paragraph, "|") {
			continue
		}
		if own, is := strings.CutPrefix(paragraph, "**"+severity+"**:"); is {
			first = own
			break
		}
		if first == "" {
			first = paragraph
		}
	}
	found := sentence.FindStringSubmatch(strings.TrimSpace(first))
	if found == nil {
		return "", fmt.Errorf("%s does not begin with a sentence", file)
	}
	text := link.ReplaceAllString(found[1], "$1")
	return strings.ToUpper(text[:1]) + text[1:] + ".", nil
}
