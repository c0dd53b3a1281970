// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"strings"
)

const (
	critical = "critical"
	warning  = "warning"

	// teamKafka owns the brokers, teamMonitoring what measures them.
	teamKafka      = "kafka"
	teamMonitoring = "monitoring"
)

// alert is one alerting rule before the parts that all have in common are added.
type alert struct {
	name     string
	comment  string
	severity string
	team     string
	labels   map[string]string
	expr     string
	forTime  duration
	// keepFiring bridges gaps of the condition; empty where there are none.
	keepFiring duration
	summary    string
	// figures says what is wrong, in numbers; next is what to do first.
	figures string
	next    string
	// phases makes it an alert on latency, which shows the suspect and the table of the phases, of the cluster and profile in its labels.
	phases bool
	// leader is the label that names the broker, for the dashboard's filter; empty for all.
	leader string
}

// alertGroup turns alerts into a group, each with severity, team, and links filled in.
func alertGroup(s settings, name string, alerts ...alert) group {
	g := group{name: name, interval: s.AlertInterval}
	for _, a := range alerts {
		g.rules = append(g.rules, a.rule(s))
	}
	return g
}

func (a alert) rule(s settings) rule {
	labels := map[string]string{"severity": a.severity, "team": a.team}
	if a.phases {
		// What is held back while the canary cannot be trusted, or while something larger is known to be broken.
		labels["area"] = "latency"
	}
	maps.Copy(labels, a.labels)
	description := a.figures
	if a.phases {
		description += "\n" + suspectText
	}
	description += "\nNext step: " + a.next
	if a.phases {
		description += "\n\n" + phaseTable(s)
	}
	return rule{
		alert:      a.name,
		comment:    a.comment,
		expr:       a.expr,
		forTime:    a.forTime,
		keepFiring: a.keepFiring,
		labels:     labels,
		annotations: map[string]string{
			"summary":       a.summary,
			"description":   description,
			"runbook_url":   runbookLink(a),
			"dashboard_url": dashboardLink(a),
		},
	}
}

// Addresses come from links.yml, which users edit and reload. Where it has none, a path remains: of this repository, and of Grafana.
const (
	runbookDirectory = "alerting/runbooks"
	dashboardUID     = "phasewise-latency-overview"
)

func runbookLink(a alert) string {
	page := "/" + a.name + ".md"
	return "{{ with query `phasewise:links{runbooks!=\"\"}` }}{{ . | first | label `runbooks` }}" + page + "{{ else }}" + runbookDirectory + page + "{{ end }}"
}

// dashboardLink shows an hour around the alert: it is opened later than the alert was raised.
func dashboardLink(a alert) string {
	link := "{{ with query `phasewise:links{grafana!=\"\"}` }}{{ . | first | label `grafana` }}{{ end }}/d/" + dashboardUID +
		"?{{ with $labels.cluster }}var-cluster={{ . | urlquery }}&{{ end }}" +
		"var-profile={{ with $labels.profile }}{{ . | urlquery }}{{ else }}default{{ end }}"
	if a.leader != "" {
		link += "&var-leader={{ $labels." + a.leader + " | urlquery }}"
	}
	return link + "&from=" + milliseconds("- 2700") + "&to=" + milliseconds("+ 900")
}

func milliseconds(shift string) string {
	return fmt.Sprintf(`{{ query "1000 * (time() %s)" | first | value | printf "%%.0f" }}`, shift)
}

// ofLabels puts the matchers of the alert's cluster and profile in the place of CP in a template's query, which it wraps in printf.
func ofLabels(query string) string {
	return `printf "` + strings.ReplaceAll(escaped(query), "CP", "cluster=%q,profile=%q") + `" $labels.cluster $labels.profile`
}

func escaped(query string) string { return strings.ReplaceAll(query, `"`, `\"`) }

// part selects what is recorded of the phases and of the mirror, which has no label phase.
func part(what, matchers string) string {
	return `{__name__=~"kafka_canary:(phase|mirror)_latency_seconds_by_` + what + `",` + matchers + `}`
}

const partName = `{{ or .Labels.phase "mirror" }}`

// The queries of the texts below run only while an alert is active.
var suspectText = strings.Join([]string{
	`{{ with query (printf "topk(1, 1000 * max by (cluster, broker, role, phase, source) (kafka_suspect{cluster=%[1]q,role!~\"follower|network\"} or kafka_suspect{cluster=%[1]q} unless on (cluster, broker) kafka_suspect{cluster=%[1]q,role=~\"disk|handlers|process\"}))" $labels.cluster) }}{{ with first . }}`,
	`Suspect: {{ if ne .Labels.broker "several" }}broker {{ .Labels.broker }} ({{ end }}` + roleText(".Labels.role") + `{{ if ne .Labels.broker "several" }}){{ end }}: {{ printf "%.0f" .Value }} ms`,
	`{{ with query (printf "1000 * max(` + escaped(phaseByLeader+`:mean1m{cluster=%q,phase=%q}`) + `)" .Labels.cluster .Labels.phase) }}`,
	` of {{ . | first | value | printf "%.0f" }} ms{{ end }} in {{ .Labels.phase }}{{ if eq .Labels.source "inferred" }}, inferred: check the broker before you act{{ end }}.`,
	// All brokers by the network is the canary's own path, two by their handlers is a busy client.
	`{{ with query (printf "sort_desc(topk by (broker) (1, max by (broker, role) (kafka_suspect{cluster=%q,broker!=%q,broker!=\"several\"})))" .Labels.cluster .Labels.broker) }}`,
	` Also named:{{ range $i, $other := . }}{{ if $i }},{{ end }} broker {{ .Labels.broker }} (` + roleText(".Labels.role") + `){{ end }}.{{ end }}{{ end }}{{ else }}`,
	`{{ with query (` + ofLabels("topk(1, 1000 * "+part("leader:excess1m", "CP")+" > 1)") + `) }}{{ with first . }}`,
	`Suspect: ` + partName + ` on leader {{ .Labels.leader }}, {{ printf "%+.1f" .Value }} ms`,
	`{{ with query (printf "1000 * sum(` + escaped(part("leader:excess1m", "cluster=%q,profile=%q,leader=%q")) + `)" .Labels.cluster .Labels.profile .Labels.leader) }}`,
	` of {{ . | first | value | printf "%+.1f" }} ms{{ end }} over the baseline`,
	// Nobody should look for a slow client when a broker restarted.
	`{{ if eq .Labels.phase "produce" }}. Retries and failover count as produce{{ end }}.{{ end }}`,
	`{{ else }}{{ if query (` + ofLabels(part("leader:excess1m", "CP")) + `) }}Suspect: nobody now. On no leader is a phase more than 1 ms over its baseline.`,
	`{{ else }}{{ with query (` + ofLabels("topk(1, 1000 * "+part("leader:mean1m", "CP")+" > 0)") + `) }}{{ with first . }}`,
	`Suspect: ` + partName + ` on leader {{ .Labels.leader }} is the longest, {{ printf "%.1f" .Value }} ms. There is no baseline to compare with.{{ end }}`,
	`{{ else }}No probe came back within the last minute.{{ end }}{{ end }}{{ end }}{{ end }}`,
}, "")

// phaseTable is laid out in columns, one phase a line, below a blank line: notification templates set it apart by that.
func phaseTable(s settings) string {
	return strings.Join([]string{
		"phase               now    baseline  share",
		`{{ range query (` + ofLabels("sort_desc(1000 * "+part("cluster:mean1m", "CP")+" >= 0)") + `) }}`,
		"\n" + `{{ $phase := .Labels.phase }}{{ printf "%-10s %9.1f ms" (or $phase "mirror") .Value }}`,
		`{{ with query (` + ofPart(1000, "baseline"+string(s.Baseline.Window)) + `) }}`,
		`{{ . | first | value | printf "%9.1f ms" }}{{ else }}           -{{ end }}`,
		`{{ with query (` + ofPart(100, "share1m") + `) }}{{ . | first | value | printf "%5.0f %%" }}{{ end }}`,
		"{{ else }}\n(nothing within the last minute){{ end }}",
	}, "")
}

func ofPart(factor int, what string) string {
	return fmt.Sprintf(`printf "%d * %s" $labels.cluster $labels.profile $phase`, factor, escaped(part("cluster:"+what, "cluster=%q,profile=%q,phase=%q")))
}
