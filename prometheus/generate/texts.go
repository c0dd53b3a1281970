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

// suspectLine is of one suspect: its waits in all phases together, as the canary and the dashboards have them.
const suspectLine = `Suspect: {{ $who }}: probes wait {{ printf "%.0f" .Value }} ms longer than usual in {{ range $i, $each := query (<in_phases>) }}{{ if $i }}, {{ end }}{{ .Labels.phase }}{{ end }}.
`

// suspectText has a line for each suspect, three at most, and then what to do about the first.
const suspectText = `{{ $role := "" }}{{ range query (<named>) }}{{ $who := .Labels.who }}{{ if not $role }}{{ $role = .Labels.role }}{{ end -}}
<line>{{ else -}}
<unnamed>
{{ end -}}
Next step: {{ if $role }}{{ with query (<next>) }}{{ . | first | label "next" }} Runbook ` + roleRunbook + `, row {{ $role }}.{{ else }}See the row {{ $role }} of the runbook ` + roleRunbook + `.{{ end }}{{ else }}<otherwise>{{ end }}`

// elsewhereText has the suspects of a cluster that the one leader which an alert is about does not wait for.
const elsewhereText = `{{ $elsewhere := false }}{{ range query (<named>) }}{{ $who := .Labels.who }}{{ $elsewhere = true -}}
<line>{{ else -}}
<nobody>
{{ end -}}
{{ if $elsewhere }}Leader {{ $leader }} does not wait for what is named here.
{{ end -}}`

// nobodyText says which phase of which leader exceeds its baseline most.
const nobodyText = `Suspect: nobody is named.{{ range query (<most_over>) }} Most over its baseline in the <last>: {{ .Labels.phase }} on leader {{ .Labels.leader }}, by {{ printf "%.1f" .Value }} ms.{{ end }}`

// those are three suspects at most, in milliseconds of all phases together. Two Prometheus servers may have recorded the same.
func those(series string, of ...variable) string {
	return asked("sort_desc(topk(3, 1000 * sum by (who, role) (max by (who, role, phase) ("+series+"))))", of...)
}

// lineOf is the line of a suspect, $who; lately is of the range of seconds in which its phases were named last, or empty for those that are named now.
func lineOf(lately string) string {
	in := suspects + "{cluster=$cluster,who=$who}"
	if lately != "" {
		in = "last_over_time(" + in + lately + ")"
	}
	return fill(suspectLine, names{"in_phases": asked("sort_desc(max by (phase) ("+in+"))", alertsCluster, variable{name: "who", value: "$who"})})
}

// suspectsOf names these, each in a line, and says what to do about the first; without any it says unnamed and otherwise.
func suspectsOf(named, line, unnamed, otherwise string) string {
	return fill(suspectText, names{
		"named":     named,
		"line":      line,
		"next":      asked("phasewise:suspect_roles{role=$role}", variable{name: "role", value: "$role"}),
		"unnamed":   unnamed,
		"otherwise": otherwise,
	})
}

// itsSuspects are those of an alert about suspects. One that is not named just now is named as it was last: the alert bridges such gaps.
func (a alert) itsSuspects() string {
	named := those("last_over_time("+suspects+"{"+a.suspects+"}[1m])", alertsCluster, alertsBroker, alertsRole)
	return suspectsOf(named, lineOf("[1m]"), "Suspect: nobody now.", a.next)
}

// suspectText is that of an alert on latency. The excess is of the table's window. The next step of an alert about one leader is that of a suspect which this
// leader waits for: another one may be louder.
func (a alert) suspectText() string {
	nobody := fill(nobodyText, names{"last": a.last(), "most_over": a.asks("topk(1, 1000 * " + phase("leader:excess"+a.over(), a.its()) + " > 1)")})
	all := those(suspects+"{cluster=$cluster}", alertsCluster)
	if !a.ofOne() {
		return suspectsOf(all, lineOf(""), nobody, a.next)
	}
	elsewhere := fill(elsewhereText, names{"named": all, "line": lineOf(""), "nobody": nobody})
	return suspectsOf(those(a.waitedFor(), alertsCluster, alertsLeader), lineOf(""), elsewhere, a.next)
}

// waitedFor are the suspects that one leader's probes can wait for: that broker itself, what is no broker, and whom commits or elections wait for. An alert about
// some phases has those of these phases alone.
func (a alert) waitedFor() string {
	of := func(matchers string) string { return suspects + "{cluster=$cluster," + matchers + "}" }
	any := []string{of("broker=$leader"), of(`broker="none"`), of(`phase="commit"`), of(`role="controller"`)}
	if a.suspectsIn != "" {
		in := `,phase=~"` + a.suspectsIn + `"`
		any = []string{of("broker=$leader" + in), of(`broker="none"` + in)}
	}
	return suspects + "{cluster=$cluster} and on (who) (" + strings.Join(any, " or ") + ")"
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
