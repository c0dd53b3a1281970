// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// What alerts on latency say about phases, suspects and next steps. Their queries run only while an alert is active. In a text about one leader all
// numbers are those of that leader. What is said of a named broker is of the last minute; the phases are means over the alert's window.

// role is a value of the label role of kafka_suspect: in what way a broker is slow.
type role struct {
	// name is the label's value, and the key of its row in the runbook BrokerDegraded.
	name string
	// is explains the name in a few words.
	is string
	// next is what to do first about broker $who. It is the same in all texts about a broker.
	next string
}

const (
	askDemote   = " Then ask `demote`, which changes nothing, whether moving leadership off it helps."
	roleRunbook = "BrokerDegraded"
	ofSuspect   = "broker {{ $who }}"
	stillWaited = "While it stays in sync, moving leadership off it does not help: leaders wait for it as a follower."
)

// roles, causes first: what a broker measures about itself (disk, handlers, process) can be the cause of what others wait for.
var roles = []role{
	{"disk", "its disk", "Look at the disk of " + ofSuspect + ": iostat -x 5, dmesg." + askDemote},
	{"handlers", "its request handlers", "See what keeps the request handlers of " + ofSuspect + " busy (runbook RequestHandlersSaturated)." + askDemote},
	{"process", "its JVM is paused", "Find what pauses the JVM of " + ofSuspect + ": garbage collection, stolen processor time, a snapshot. Repair or restart it. " + stillWaited},
	{"network", "the network", "Check the path to and from " + ofSuspect + ": network card, cable, switch, route (runbook GrayFailure)."},
	{"follower", "leaders wait for it as a follower", "See why " + ofSuspect + " replicates slowly: its fetchers, disk and network (runbook SlowFollower). " + stillWaited},
	{"several", "more than one follower of a leader", "See who held commits back (dashboard Kafka replication and ISR), and what these followers share."},
	{"controller", "the active controller", "See why the active controller, node {{ $who }}, is slow: its disk, its load, the quorum (dashboard Kafka KRaft and cluster)."},
	{"unknown", "no measurement says why", "Check disk, request handlers, garbage collection and network of " + ofSuspect + ": it alone has become slower."},
}

// byRole is a template: expr gives the role, and the template shows what text returns for it.
func byRole(expr string, text func(role) string) string {
	var out strings.Builder
	for i, r := range roles {
		if i > 0 {
			out.WriteString("{{ else ")
		} else {
			out.WriteString("{{ ")
		}
		fmt.Fprintf(&out, "if eq %s %q }}%s", expr, r.name, text(r))
	}
	return out.String() + "{{ end }}"
}

// roleText says which part of a broker is slow, by the word that the runbook uses.
func roleText(expr string) string {
	return "role {{ " + expr + " }}" + byRole(expr, func(r role) string { return ": " + r.is })
}

// nextText is what to do about broker $who in role $role. If the suspect is a guess, the text says that first.
var nextText = `{{ if eq $source "inferred" }}Check broker {{ $who }} itself before you act: it is named by a guess. Never stop a broker because of it. {{ end }}` +
	byRole("$role", func(r role) string { return r.next }) + " Runbook " + roleRunbook + ", row {{ $role }}."

// foremost are the suspect series of a broker that matter: those of its own figures (disk, handlers, process), and only without these the others.
// The others may follow from them: leaders wait for a paused broker as their follower, and whoever asks it waits where it is the active controller.
func foremost(matchers string) string {
	return fill(`(kafka_suspect{cluster=$cluster<matchers>,role=~"disk|handlers|process"} or kafka_suspect{cluster=$cluster<matchers>}`+
		` unless on (cluster, broker) kafka_suspect{cluster=$cluster,role=~"disk|handlers|process"})`, names{"matchers": matchers})
}

// setSuspect makes the broker that a series names the suspect of the text.
const setSuspect = `{{ $role = .Labels.role }}{{ $who = .Labels.broker }}{{ $source = .Labels.source }}`

// noSuspect declares what setSuspect sets, and $nothing: no probe came back.
const noSuspect = `{{ $role := "" }}{{ $who := "" }}{{ $source := "" }}{{ $nothing := false }}`

// mainRole makes the broker of a text its suspect, in the foremost of the broker's roles. So the next step is the same, whichever of the roles the alert
// is about.
func mainRole() string {
	query := asked("sort_desc("+foremost(",broker=$broker")+")", alertsCluster, variable{name: "broker", value: "$labels.broker"})
	return `{{ $role := $labels.role }}{{ $who := $labels.broker }}{{ $source := $labels.source }}{{ with query (` + query + `) }}{{ with first . }}` + setSuspect + `{{ end }}{{ end }}`
}

// alsoAs adds that the broker is slow in another role as well, which comes first and gives the next step.
var alsoAs = `{{ if ne $role $labels.role }} Broker {{ $who }} is named as role {{ $role }}, too (` + byRole("$role", func(r role) string { return r.is }) + `). Act on that role first.{{ end }}`

// ofOne is true of an alert about one leader.
func (a alert) ofOne() bool { return a.leader != "" || a.names != "" }

// ofWhom sets $leader, and declares the variables of the suspect.
func (a alert) ofWhom() string {
	switch {
	case a.leader != "":
		return "{{ $leader := $labels." + a.leader + " }}" + noSuspect
	case a.names != "":
		return `{{ $leader := "" }}` + a.names + noSuspect
	default:
		return noSuspect
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

// suspectText names the broker that kafka_suspect names. Where that is nobody, it names the phase that is most over its baseline, and its leader; or says
// that none is over it by more than 1 ms. Without a baseline it names the longest phase.
func (a alert) suspectText(s settings) string {
	named := a.suspectOfAll()
	if a.ofOne() {
		named = a.suspectOfLeader(s)
	}
	excess := "leader:excess" + a.over()
	everywhere := "On no leader is a phase"
	if a.ofOne() {
		everywhere = "No phase of leader {{ $leader }} is"
	}
	return strings.Join([]string{
		named,
		`{{ else }}{{ with query (` + a.asks("topk(1, 1000 * "+phase(excess, a.its())+" > 1)") + `) }}{{ with first . }}`,
		`Suspect: {{ .Labels.phase }} on leader {{ .Labels.leader }}, {{ printf "%+.1f" .Value }} ms`,
		`{{ with query (printf "1000 * sum(` + escaped(phase(excess, "cluster=%q,profile=%q,leader=%q")) + `)" .Labels.cluster .Labels.profile .Labels.leader) }}`,
		` of {{ . | first | value | printf "%+.1f" }} ms{{ end }} over the baseline`,
		// Nobody should look for a slow client when a broker restarted.
		`{{ if eq .Labels.phase "produce" }}. Retries and failover count as produce{{ end }}.` + a.byLeader() + `{{ end }}`,
		`{{ else }}{{ if query (` + a.asks(phase(excess, a.its())) + `) }}Suspect: nobody now. ` + everywhere + ` more than 1 ms over its baseline.`,
		`{{ else }}{{ with query (` + a.asks("topk(1, 1000 * "+phase("leader:mean"+a.over(), a.its())+" > 0)") + `) }}{{ with first . }}`,
		`Suspect: {{ .Labels.phase }} on leader {{ .Labels.leader }} is the longest, {{ printf "%.1f" .Value }} ms. There is no baseline to compare with.{{ end }}`,
		`{{ else }}{{ $nothing = true }}No probe came back within the ` + a.last() + `.{{ end }}{{ end }}{{ end }}{{ end }}`,
	}, "")
}

// byLeader adds, in a text about all leaders, how long the phase takes on the leaders where it takes longest. The table has only the mean of all leaders,
// which hides one slow leader.
func (a alert) byLeader() string {
	if a.ofOne() {
		return ""
	}
	query := asked("sort_desc(topk(3, 1000 * "+phase("leader:mean"+a.over(), "cluster=$cluster,profile=$profile,phase=$phase")+"))",
		alertsCluster, alertsProfile, variable{name: "phase", value: `$phase`})
	return `{{ $phase := .Labels.phase }}{{ with query (` + query + `) }}` +
		` By leader, {{ $phase }} takes{{ range $i, $each := . }}{{ if $i }},{{ end }} {{ printf "%.1f" $each.Value }} ms (leader {{ $each.Labels.leader }}){{ end }}.{{ end }}`
}

const guess = `{{ if eq .Labels.source "inferred" }} The suspect is inferred; no broker measured it.{{ end }}`

// suspectOfAll names the broker that probes of the cluster wait for longest.
func (a alert) suspectOfAll() string {
	others := asked("sort_desc(topk(3, topk by (broker) (1, max by (broker, role) "+foremost(`,broker!=$broker,broker!="several"`)+")))",
		variable{name: "cluster", value: ".Labels.cluster"}, variable{name: "broker", value: ".Labels.broker"})
	return strings.Join([]string{
		`{{ with query (` + asked("topk(1, 1000 * max by (cluster, broker, role, phase, source) "+foremost("")+")", alertsCluster) + `) }}{{ with first . }}` + setSuspect,
		`Suspect: {{ if ne $who "several" }}broker {{ $who }}{{ else }}several followers{{ end }} (` + roleText("$role") + `). {{ if eq $role "controller" }}It takes {{ printf "%.1f" .Value }} ms to commit a change, and probes wait to be sent ({{ .Labels.phase }}).` +
			`{{ else }}Probes that wait for {{ if eq $who "several" }}them{{ else }}it{{ end }} wait {{ printf "%.1f" .Value }} ms in {{ .Labels.phase }}.{{ end }}`,
		a.byLeader() + guess,
		// Who else is named tells the cause: all brokers in role network mean the canary's own path, two in role handlers mean a busy client.
		`{{ with query (` + others + `) }}`,
		` Also named:{{ range $i, $other := . }}{{ if $i }},{{ end }} broker {{ .Labels.broker }} (role {{ .Labels.role }}){{ end }}.{{ end }}{{ end }}`,
	}, "")
}

// suspectOfLeader names the broker that probes to $leader wait for longest: the leader itself, or another broker for which its commits wait. The wait is
// that of probes to this leader. The text says how long the whole phase took only if the phase is at least as long as the wait: where phases are
// estimated, a slow write is charged to another phase than the one that the broker reports.
func (a alert) suspectOfLeader(s settings) string {
	in := ""
	if a.suspectsIn != "" {
		in = `,phase="` + a.suspectsIn + `"`
	}
	least := number(s.Thresholds.OutlierSeconds)
	// In commit the role says whether the broker is slow as this leader or as a follower of others.
	own := fill(`max by (broker, role, phase, source) (kafka_suspect{cluster=$cluster,broker=$leader,leader="",phase!="commit",role!="controller"<in>}`+
		` or kafka_suspect{cluster=$cluster,broker=$leader,leader="",phase="commit",role=~"handlers|network|process|unknown"<in>})`, names{"in": in})
	waits := fill(`(max by (cluster, broker) (label_replace(kafka_broker:commit_gated_seconds:mean1m{cluster=$cluster,broker=$leader,follower!="leader"}, "broker", "$1", "follower", "(.+)")) > <least>`+
		` and on (cluster, broker) kafka_suspect{cluster=$cluster,broker!=$leader,phase="commit",leader=~"|$leader_pattern"<in>})`, names{"in": in, "least": least})
	other := fill(`label_replace(topk by (broker) (1, max by (cluster, broker, role, source) <foremost>) * 0 + on (cluster, broker) group_left () <waits>, "phase", "commit", "", "")`,
		names{"foremost": foremost(`,broker!=$leader,leader=~"|$leader_pattern",source="broker",role!="controller"`), "waits": waits})
	guessed := fill(`kafka_suspect{cluster=$cluster,broker!=$leader,phase="commit",source="inferred"<in>}`+
		` * 0 + on (cluster) group_left () max by (cluster) (kafka_canary:phase_latency_seconds_by_leader:excess1m{cluster=$cluster,profile=$profile,leader=$leader,phase="commit"} > <least>)`,
		names{"in": in, "least": least})
	// The time that the controller takes is not what a probe waits. The leader's phase produce is.
	controller := fill(`kafka_suspect{cluster=$cluster,role="controller"<in>}`+
		` * 0 + on (cluster) group_left () max by (cluster) (kafka_canary:phase_latency_seconds_by_leader:mean1m{cluster=$cluster,profile=$profile,leader=$leader,phase="produce"} > <least>)`,
		names{"in": in, "least": least})
	query := asked("topk(1, 1000 * ("+strings.Join([]string{own, other, guessed, controller}, " or ")+"))", alertsCluster, alertsProfile, alertsLeader,
		variable{name: "leader_pattern", value: `(reReplaceAll "[^0-9A-Za-z_-]" "." $leader)`, inQuotes: true})
	return strings.Join([]string{
		`{{ with query (` + query + `) }}{{ with first . }}` + setSuspect,
		`Suspect: {{ if ne $who "several" }}broker {{ $who }}{{ else }}several followers{{ end }} (` + roleText("$role") + `). {{ $phase := .Labels.phase }}{{ $took := 0.0 }}`,
		`{{ with query (printf "1000 * ` + escaped(phaseByLeader+`:mean1m{cluster=%q,profile=%q,leader=%q,phase=%q}`) + `" $labels.cluster $labels.profile $leader $phase) }}{{ $took = . | first | value }}{{ end }}`,
		`{{ if eq $role "controller" }}Probes to leader {{ $leader }} wait to be sent: {{ $phase }} took {{ printf "%.1f" $took }} ms in the last minute.`,
		`{{ else }}In the last minute probes to leader {{ $leader }} waited {{ printf "%.1f" .Value }} ms for {{ if eq $who "several" }}them{{ else }}it{{ end }} in {{ $phase }}{{ if ge $took .Value }}, which took {{ printf "%.1f" $took }} ms{{ end }}.` + guess + `{{ end }}`,
		`{{ if and (ne $who $leader) (ne $role "controller") }} Do not move leadership off broker {{ $leader }}: its commits wait for others.{{ end }}{{ end }}`,
	}, "")
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
