// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// What alerts on latency say about suspects and phases. Their queries run only while an alert is active. Whom probes wait for is named by the canary, of the
// whole cluster; its words are the label who. In a text about one leader all other numbers are those of that leader.

const (
	suspects    = "kafka_suspect"
	roleRunbook = "BrokerDegraded"
)

// suspectText has a line for each suspect, three at most, and then what to do about the first. Two Prometheus servers may have recorded the same.
const suspectText = `{{ $role := "" }}{{ range query (<named>) }}{{ $who := .Labels.who }}{{ if not $role }}{{ $role = .Labels.role }}{{ end -}}
Suspect: {{ $who }}: probes wait {{ printf "%.0f" .Value }} ms longer than usual in {{ range $i, $each := query (<in_phases>) }}{{ if $i }}, {{ end }}{{ .Labels.phase }}{{ end }}.
{{ else -}}
<nobody>
{{ end -}}
Next step: {{ with query (<next>) }}{{ . | first | label "next" }} Runbook ` + roleRunbook + `, row {{ $role }}.{{ else }}<otherwise>{{ end }}`

// nobodyText says which phase of which leader exceeds its baseline most.
const nobodyText = `Suspect: nobody is named.{{ range query (<most_over>) }} Most over its baseline in the <last>: {{ .Labels.phase }} on leader {{ .Labels.leader }}, by {{ printf "%.1f" .Value }} ms.{{ end }}`

// suspectsOf says whom the canaries name among the series with these matchers, and what to do first; where they name nobody it says nobody and otherwise.
func suspectsOf(matchers, nobody, otherwise string, of ...variable) string {
	return fill(suspectText, names{
		"named":     asked("sort_desc(topk(3, 1000 * max by (who, role) ("+suspects+"{"+matchers+"})))", of...),
		"in_phases": asked("sort_desc(max by (phase) ("+suspects+"{cluster=$cluster,who=$who}))", alertsCluster, variable{name: "who", value: "$who"}),
		"next":      asked("phasewise:suspect_roles{role=$role}", variable{name: "role", value: "$role"}),
		"nobody":    nobody,
		"otherwise": otherwise,
	})
}

// suspectText is that of an alert on latency. The excess is of the table's window.
func (a alert) suspectText() string {
	nobody := fill(nobodyText, names{"last": a.last(), "most_over": a.asks("topk(1, 1000 * " + phase("leader:excess"+a.over(), a.its()) + " > 1)")})
	return suspectsOf("cluster=$cluster", nobody, a.next, alertsCluster)
}

// ofOne is true of an alert about one leader.
func (a alert) ofOne() bool { return a.leader != "" || a.names != "" }

// ofWhom sets $leader.
func (a alert) ofWhom() string {
	switch {
	case a.leader != "":
		return "{{ $leader := $labels." + a.leader + " }}"
	case a.names != "":
		return `{{ $leader := "" }}` + a.names
	default:
		return ""
	}
}

// its are the matchers for what the alert is about: a cluster and profile, or one leader there.
func (a alert) its() string {
	if a.ofOne() {
		return "cluster=$cluster,profile=$profile,leader=$leader"
	}
	return "cluster=$cluster,profile=$profile"
}

// asks is a query that may use the variables of these matchers.
func (a alert) asks(query string) string {
	if a.ofOne() {
		return asked(query, alertsCluster, alertsProfile, alertsLeader)
	}
	return asked(query, alertsCluster, alertsProfile)
}

// split is by what the means in the table are recorded: by leader or by cluster.
func (a alert) split() string {
	if a.ofOne() {
		return "leader"
	}
	return "cluster"
}

// phase selects what is recorded of the phases.
func phase(what, matchers string) string {
	return "kafka_canary:phase_latency_seconds_by_" + what + "{" + matchers + "}"
}

func (a alert) over() string {
	if a.window == "" {
		return "1m"
	}
	return string(a.window)
}

func (a alert) last() string { return lastOf(duration(a.over())) }

func lastOf(window duration) string {
	if window == "1m" {
		return "last minute"
	}
	return "last " + string(window)
}

// tableHead begins the first line of the table, which says what the numbers are. Notification templates find the table by it and the blank line before it.
const tableHead = "Mean of the last "

// phaseTable has columns, and one phase a line, the longest first.
func (a alert) phaseTable(s settings) string {
	whose := "all leaders"
	if a.ofOne() {
		whose = "leader {{ $leader }}"
	}
	by := a.split()
	return strings.Join([]string{
		tableHead + strings.TrimPrefix(a.last(), "last ") + ", " + whose,
		"\nphase               now    baseline  share",
		`{{ range query (` + a.asks("sort_desc(1000 * "+phase(by+":mean"+a.over(), a.its())+" >= 0)") + `) }}`,
		"\n" + `{{ $phase := .Labels.phase }}{{ printf "%-10s %9.1f ms" $phase .Value }}`,
		`{{ with query (` + a.ofPhase(1000, "baseline"+string(s.Baseline.Window)) + `) }}`,
		`{{ . | first | value | printf "%9.1f ms" }}{{ else }}           -{{ end }}`,
		`{{ with query (` + a.ofPhase(100, "share"+a.over()) + `) }}{{ . | first | value | printf "%5.0f %%" }}{{ end }}`,
		"{{ else }}\n(nothing within the " + a.last() + "){{ end }}",
	}, "")
}

func (a alert) ofPhase(factor int, what string) string {
	if a.ofOne() {
		return fmt.Sprintf(`printf "%d * %s" $labels.cluster $labels.profile $leader $phase`, factor, escaped(phase("leader:"+what, "cluster=%q,profile=%q,leader=%q,phase=%q")))
	}
	return fmt.Sprintf(`printf "%d * %s" $labels.cluster $labels.profile $phase`, factor, escaped(phase("cluster:"+what, "cluster=%q,profile=%q,phase=%q")))
}
