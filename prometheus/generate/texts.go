// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// What alerts on latency say of phases, suspects and next steps. Their queries run only while an alert is active. All numbers of a text that speaks of
// one leader are of that leader, and all milliseconds in it are means of one window.

// role is one in which kafka_suspect names a broker.
type role struct {
	// name is the label's value, and the key of its row in the runbook BrokerDegraded.
	name string
	is   string
	// next is what to do first about broker $who. It is the same in all texts about a broker.
	next string
}

const (
	askDemote   = " Then ask `demote`, which changes nothing, whether moving leadership off it helps."
	roleRunbook = "BrokerDegraded"
	ofSuspect   = "broker {{ $who }}"
	stillWaited = "While it stays in sync, moving leadership off it does not help: leaders wait for it as a follower."
)

// roles in the order in which they explain each other: what others wait for may be caused by what a broker measures of itself.
var roles = []role{
	{"disk", "its disk", "Look at the disk of " + ofSuspect + ": iostat -x 5, dmesg." + askDemote},
	{"handlers", "its request handlers", "See what keeps the request handlers of " + ofSuspect + " busy (runbook RequestHandlersSaturated)." + askDemote},
	{"process", "its JVM is paused", "Find what pauses the JVM of " + ofSuspect + ": garbage collection, stolen processor time, a snapshot. Repair or restart it. " + stillWaited},
	{"network", "the network", "Check the path to and from " + ofSuspect + ": network card, cable, switch, route (runbook GrayFailure)."},
	{"follower", "as a follower", "See why " + ofSuspect + " replicates slowly: its fetchers, disk and network (runbook SlowFollower). " + stillWaited},
	{"several", "more than one follower of a leader", "See who held commits back (dashboard Kafka replication and ISR), and what these followers share."},
	{"controller", "the active controller", "See why the active controller, node {{ $who }}, is slow: its disk, its load, the quorum (dashboard Kafka KRaft and cluster)."},
	{"unknown", "no measurement says why", "Check disk, request handlers, garbage collection and network of " + ofSuspect + ": it alone has become slower."},
}

// byRole is a template that says for each role, which expr gives, what text does.
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

// roleText says what of a broker is slow, with the word that the runbook has for it.
func roleText(expr string) string {
	return "role {{ " + expr + " }}" + byRole(expr, func(r role) string { return ": " + r.is })
}

// nextText is what to do about broker $who in role $role. Of a guess it says first that it is one.
var nextText = `{{ if eq $source "inferred" }}Check broker {{ $who }} itself before you act: it is named by a guess. Never stop a broker because of it. {{ end }}` +
	byRole("$role", func(r role) string { return r.next }) + " Runbook " + roleRunbook + ", row {{ $role }}."

// foremost are a broker's suspects: what its own figures say of it, and without that, the rest. The rest may follow from it: followers of a paused broker wait,
// and so does whoever asks it as the active controller.
func foremost(matchers string) string {
	return fill(`(kafka_suspect{cluster=$cluster<matchers>,role=~"disk|handlers|process"} or kafka_suspect{cluster=$cluster<matchers>}`+
		` unless on (cluster, broker) kafka_suspect{cluster=$cluster,role=~"disk|handlers|process"})`, names{"matchers": matchers})
}

// setSuspect has whoever a series names as the suspect of the text.
const setSuspect = `{{ $role = .Labels.role }}{{ $who = .Labels.broker }}{{ $source = .Labels.source }}`

// noSuspect declares what setSuspect sets, and $nothing: no probe came back.
const noSuspect = `{{ $role := "" }}{{ $who := "" }}{{ $source := "" }}{{ $nothing := false }}`

// mainRole sets the suspect of a text about one broker to that broker in its foremost role, so that what to do first does not depend on which of its roles
// the text is about.
func mainRole() string {
	query := asked("sort_desc("+foremost(",broker=$broker")+")", alertsCluster, variable{name: "broker", value: "$labels.broker"})
	return `{{ $role := $labels.role }}{{ $who := $labels.broker }}{{ $source := $labels.source }}{{ with query (` + query + `) }}{{ with first . }}` + setSuspect + `{{ end }}{{ end }}`
}

// alsoAs says of a text about one broker in one role that it is slow in another, from which the next step follows.
var alsoAs = `{{ if ne $role $labels.role }} Broker {{ $who }} is named as role {{ $role }}, too (` + byRole("$role", func(r role) string { return r.is }) + `). Act on that role first.{{ end }}`

// ofOne is true of an alert about one leader.
func (a alert) ofOne() bool { return a.leader != "" || a.names != "" }

// ofWhom sets $leader, and declares the suspect.
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

// its are the matchers of what the alert is about: a cluster and profile, or one leader of them.
func (a alert) its() string {
	if a.ofOne() {
		return "cluster=$cluster,profile=$profile,leader=$leader"
	}
	return "cluster=$cluster,profile=$profile"
}

// asks is a query with the matchers of its.
func (a alert) asks(query string) string {
	if a.ofOne() {
		return asked(query, alertsCluster, alertsProfile, alertsLeader)
	}
	return asked(query, alertsCluster, alertsProfile)
}

// split is how what the table shows is recorded.
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

// suspectText names whom kafka_suspect names, otherwise the phase and leader that have grown most, otherwise the longest.
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

// byLeader has, in a text about all leaders, what a phase takes on those where it takes longest: its mean of all, in the table, is between them.
func (a alert) byLeader() string {
	if a.ofOne() {
		return ""
	}
	query := asked("sort_desc(topk(3, 1000 * "+phase("leader:mean"+a.over(), "cluster=$cluster,profile=$profile,phase=$phase")+"))",
		alertsCluster, alertsProfile, variable{name: "phase", value: `$phase`})
	return `{{ $phase := .Labels.phase }}{{ with query (` + query + `) }}` +
		` By leader, {{ $phase }} takes{{ range $i, $each := . }}{{ if $i }},{{ end }} {{ printf "%.1f" $each.Value }} ms (leader {{ $each.Labels.leader }}){{ end }}.{{ end }}`
}

const guess = `{{ if eq .Labels.source "inferred" }} It is inferred.{{ end }}`

// suspectOfAll names the broker that probes of the cluster wait for longest.
func (a alert) suspectOfAll() string {
	others := asked("sort_desc(topk(3, topk by (broker) (1, max by (broker, role) "+foremost(`,broker!=$broker,broker!="several"`)+")))",
		variable{name: "cluster", value: ".Labels.cluster"}, variable{name: "broker", value: ".Labels.broker"})
	return strings.Join([]string{
		`{{ with query (` + asked("topk(1, 1000 * max by (cluster, broker, role, phase, source) "+foremost("")+")", alertsCluster) + `) }}{{ with first . }}` + setSuspect,
		`Suspect: {{ if ne $who "several" }}broker {{ $who }}{{ else }}several followers{{ end }} (` + roleText("$role") + `). {{ if eq $role "controller" }}It takes {{ printf "%.1f" .Value }} ms to handle or commit a change, and probes wait to be sent ({{ .Labels.phase }}).` +
			`{{ else }}Probes that wait for {{ if eq $who "several" }}them{{ else }}it{{ end }} wait {{ printf "%.1f" .Value }} ms in {{ .Labels.phase }}.{{ end }}`,
		a.byLeader() + guess,
		// All brokers by the network is the canary's own path, two by their handlers is a busy client.
		`{{ with query (` + others + `) }}`,
		` Also named:{{ range $i, $other := . }}{{ if $i }},{{ end }} broker {{ .Labels.broker }} (role {{ .Labels.role }}){{ end }}.{{ end }}{{ end }}`,
	}, "")
}

// suspectOfLeader names the broker that probes to $leader wait for longest: itself, or another one for which its commits wait. The wait is this leader's.
// What the phase took is said where it holds the wait. Where phases are estimated, a slow write is charged to another phase than the broker says.
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
	// What it takes the controller is no wait of a probe: the leader's produce is.
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

// tableHead begins the table, so that notification templates find it, and says what its numbers are.
const tableHead = "Mean of the last "

// phaseTable is laid out in columns, one phase a line, below a blank line: notification templates set it apart by that.
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
