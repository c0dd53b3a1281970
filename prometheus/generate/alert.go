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
	// figures says what is wrong, in numbers; next is what to do first, where no suspect is named that says it better.
	figures string
	next    string
	// suspects makes it an alert about suspects: it names those of the series with these matchers, which may use the alert's $cluster, $broker and $role.
	suspects string
	// suspectsIn are the phases, as a regular expression, in which one leader's probes wait for those that are named first; empty for any phase.
	suspectsIn string
	// phases makes it an alert on latency, which shows the suspect and the table of the phases, of the cluster, profile and leader that it is about.
	phases bool
	// leader is the label that names the broker, for the dashboard's filter, the suspect and the table; empty where the alert is about all leaders.
	leader string
	// names finds the leader that an alert without such a label speaks about: a template that sets $leader. Empty where the alert is about all leaders.
	names string
	// window of the table. Empty is a minute.
	window duration
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
		// Alertmanager holds these back while the canary cannot be trusted, or while something larger is known to be broken.
		labels["area"] = "latency"
	}
	maps.Copy(labels, a.labels)
	description := a.figures + "\nNext step: " + a.next
	switch {
	case a.phases:
		description = a.ofWhom() + a.figures + "\n" + a.suspectText() + "\n\n" + a.phaseTable(s)
	case a.suspects != "":
		description = a.figures + "\n" + a.itsSuspects()
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

// escaped is a query as it stands within a template's string.
func escaped(query string) string { return strings.ReplaceAll(query, `"`, `\"`) }
