// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package alerting has the texts of notifications, and here their test: Alertmanager's own code renders them, for what fires and for what is resolved.
package alerting

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/prometheus/alertmanager/template"
	"github.com/prometheus/alertmanager/types"
	"github.com/prometheus/common/model"
)

// texts are those that production.yml sends, each with the most characters that it may have.
var texts = map[string]int{
	"title":       700,
	"slack.title": 700,
	"link":        1000,
	"color":       10,
	"slack":       16_000,
	"text":        40_000,
	"html":        100_000,
}

const table = "Mean of the last minute, leader 2\nphase               now    baseline  share\ncommit          79.5 ms      3.0 ms   87 %"

func alert(labels, annotations map[string]string, over bool) *types.Alert {
	began := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	a := &types.Alert{Alert: model.Alert{Labels: set(labels), Annotations: set(annotations), StartsAt: began}}
	if over {
		a.EndsAt = began.Add(12 * time.Minute)
	} else {
		a.EndsAt = time.Now().Add(time.Hour)
	}
	return a
}

func set(values map[string]string) model.LabelSet {
	all := model.LabelSet{}
	for name, value := range values {
		all[model.LabelName(name)] = model.LabelValue(value)
	}
	return all
}

func leaderBad(broker string, over bool) *types.Alert {
	return alert(map[string]string{"alertname": "LeaderProbesBad", "severity": "critical", "team": "kafka", "area": "latency", "cluster": "prod", "profile": "default", "broker": broker},
		map[string]string{
			"summary":       "Kafka cluster prod: 53% of the probes to leader " + broker + " miss the latency target",
			"description":   "In the last 5m, 53% of the probes to leader " + broker + " were over 50ms.\nSuspect: broker 3 (role follower: leaders wait for it as a follower).\nNext step: See why.\n\n" + table,
			"runbook_url":   "https://wiki.test/kafka/LeaderProbesBad.md",
			"dashboard_url": "https://grafana.test/d/phasewise-latency-overview?var-leader=" + broker,
		}, over)
}

// rendered is every text about a group of alerts, as Alertmanager makes it.
func rendered(t *testing.T, group map[string]string, alerts ...*types.Alert) map[string]string {
	t.Helper()
	tmpl, err := template.FromGlobs([]string{"templates/*.tmpl"})
	if err != nil {
		t.Fatal(err)
	}
	tmpl.ExternalURL = &url.URL{Scheme: "http", Host: "am"}
	data := tmpl.Data("pager", set(group), alerts...)
	all := map[string]string{}
	for name := range texts {
		render := tmpl.ExecuteTextString
		if name == "html" {
			render = tmpl.ExecuteHTMLString
		}
		text, err := render(`{{ template "phasewise.`+name+`" . }}`, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = text
	}
	return all
}

var ofGroup = map[string]string{"alertname": "LeaderProbesBad", "cluster": "prod"}

// bodies are the texts that say something about each alert.
var bodies = []string{"slack", "text", "html"}

func TestAFiringAlertIsToldWithItsNextStepAndItsTable(t *testing.T) {
	all := rendered(t, ofGroup, leaderBad("2", false))
	if want := "[FIRING critical] Kafka cluster prod: 53% of the probes to leader 2 miss the latency target"; all["title"] != want {
		t.Errorf("title %q, want %q", all["title"], want)
	}
	for _, name := range bodies {
		for _, part := range []string{"Next step: See why.", table, "https://wiki.test/kafka/LeaderProbesBad.md", "grafana.test/d/phasewise-latency-overview?var-leader=2"} {
			if !strings.Contains(all[name], part) {
				t.Errorf("%s does not say %q:\n%s", name, part, all[name])
			}
		}
	}
	if !strings.Contains(all["slack"], "```"+table+"```") || !strings.Contains(all["html"], table+"</pre>") {
		t.Errorf("the table is in no fixed width:\n%s\n%s", all["slack"], all["html"])
	}
	if all["color"] != "danger" || all["link"] != "https://grafana.test/d/phasewise-latency-overview?var-leader=2" {
		t.Errorf("color %q, link %q", all["color"], all["link"])
	}
}

func TestWhatIsResolvedIsToldAsPastWithNothingToDo(t *testing.T) {
	all := rendered(t, ofGroup, leaderBad("2", true))
	if want := "[RESOLVED] LeaderProbesBad, broker=2, cluster=prod, profile=default"; all["title"] != want {
		t.Errorf("title %q, want %q", all["title"], want)
	}
	for _, name := range bodies {
		if !regexp.MustCompile(`(?i)It was: +Kafka cluster prod: 53% of the probes`).MatchString(all[name]) || !strings.Contains(all[name], "2026-01-05 10:00:00 UTC to 2026-01-05 10:12:00 UTC") {
			t.Errorf("%s does not tell what was, and when:\n%s", name, all[name])
		}
		told := strings.ReplaceAll(strings.Join(strings.Fields(all[name]), " "), "It was: Kafka cluster prod: 53% of the probes to leader 2 miss the latency target", "")
		for _, present := range []string{"Next step", "miss the", "Suspect", "FIRING", "firing", "Mean of"} {
			if strings.Contains(told, present) {
				t.Errorf("%s says %q of what is over:\n%s", name, present, all[name])
			}
		}
	}
	if all["color"] != "good" {
		t.Errorf("color %q", all["color"])
	}
}

func TestAGroupOfWhichSomeAreOverTellsThemApart(t *testing.T) {
	all := rendered(t, ofGroup, leaderBad("1", true), leaderBad("2", false))
	if want := "[FIRING critical] LeaderProbesBad, Kafka cluster prod: 1 firing, 1 resolved"; all["title"] != want {
		t.Errorf("title %q, want %q", all["title"], want)
	}
	for _, name := range bodies {
		firing, over := strings.Index(all[name], "to leader 2 miss"), strings.Index(all[name], "LeaderProbesBad, broker=1")
		if firing < 0 || over < firing || strings.Count(all[name], "Next step") != 1 {
			t.Errorf("%s does not tell what fires, then what is over:\n%s", name, all[name])
		}
	}
	over := rendered(t, ofGroup, leaderBad("1", true), leaderBad("2", true))
	if want := "[RESOLVED] LeaderProbesBad, Kafka cluster prod: 0 firing, 2 resolved"; over["title"] != want {
		t.Errorf("title %q, want %q", over["title"], want)
	}
}

// Default routes take everybody's alerts.
func TestAnAlertOfOthersHasATitle(t *testing.T) {
	labels := map[string]string{"alertname": "KubePodCrashLooping", "severity": "critical", "pod": "x"}
	group := map[string]string{"alertname": "KubePodCrashLooping"}
	for name, annotations := range map[string]map[string]string{
		"described": {"description": "Pod x is restarting"},
		"old":       {"message": "Pod x is restarting"},
		"bare":      {},
	} {
		t.Run(name, func(t *testing.T) {
			all := rendered(t, group, alert(labels, annotations, false))
			if want := "[FIRING critical] KubePodCrashLooping, pod=x"; all["title"] != want {
				t.Errorf("title %q, want %q", all["title"], want)
			}
			for _, body := range bodies {
				if len(annotations) > 0 && !strings.Contains(all[body], "Pod x is restarting") || strings.Contains(all[body], "Runbook") || strings.Contains(all[body], "Dashboard") {
					t.Errorf("%s:\n%s", body, all[body])
				}
			}
			for _, body := range []string{"text", "html"} {
				if !strings.Contains(all[body], "KubePodCrashLooping, pod=x") {
					t.Errorf("%s does not say which alert:\n%s", body, all[body])
				}
			}
			over := rendered(t, group, alert(labels, annotations, true))
			if want := "[RESOLVED] KubePodCrashLooping, pod=x"; over["title"] != want || strings.Contains(over["slack"], "It was") {
				t.Errorf("resolved: %q, %q", over["title"], over["slack"])
			}
		})
	}
	nameless := rendered(t, nil, alert(map[string]string{"pod": "x"}, nil, false))
	if want := "[FIRING] An alert without a name, pod=x"; nameless["title"] != want {
		t.Errorf("title %q, want %q", nameless["title"], want)
	}
}

func TestEveryTextHasABound(t *testing.T) {
	many := func(count, length int, over bool) []*types.Alert {
		var alerts []*types.Alert
		for i := range count {
			long := fmt.Sprintf("%d-%s", i, strings.Repeat("ä&\n", length/3))
			a := leaderBad(long, over)
			a.Labels["severity"] = model.LabelValue(strings.Repeat("critical", 1+length/8))
			for extra := range min(length, 40) {
				a.Labels[model.LabelName(fmt.Sprintf("l%d_%s", extra, strings.Repeat("x", min(length, 1000))))] = model.LabelValue(long)
			}
			for _, annotation := range []model.LabelName{"runbook_url", "dashboard_url"} {
				a.Annotations[annotation] += model.LabelValue(strings.Repeat("/y", length))
			}
			a.Annotations["description"] = model.LabelValue(strings.Repeat("so ", length) + "\n\nMean of the last minute, leader 2\n" + strings.Repeat("row\n", length))
			alerts = append(alerts, a)
		}
		return alerts
	}
	bare := alert(map[string]string{"alertname": strings.Repeat("A", 100_000), "severity": "critical", "pod": strings.Repeat("p", 100_000)}, nil, false)
	for name, alerts := range map[string][]*types.Alert{
		"hundreds":                many(500, 0, false),
		"hundreds that are over":  many(500, 0, true),
		"long labels":             many(1, 30_000, false),
		"long labels, over":       many(1, 30_000, true),
		"hundreds, long labels":   many(300, 3_000, false),
		"hundreds, some are over": append(many(300, 3_000, false), many(300, 2_999, true)...),
		"others', long":           {bare},
	} {
		t.Run(name, func(t *testing.T) {
			group := map[string]string{"alertname": "LeaderProbesBad", "cluster": strings.Repeat("c", 10_000)}
			for text, got := range rendered(t, group, alerts...) {
				if size := utf8.RuneCountInString(got); size > texts[text] {
					t.Errorf("%s has %d characters, at most %d are allowed", text, size, texts[text])
				}
				if !utf8.ValidString(got) {
					t.Errorf("%s is cut inside a character", text)
				}
				if strings.HasSuffix(text, "title") && strings.Contains(got, "\n") {
					t.Errorf("the title has a line break: %q", got)
				}
			}
		})
	}
}

// The number is that of all, and beside it stands how many of them are shown.
func TestATextThatIsCutSaysHowManyThereAreAndAreShown(t *testing.T) {
	shown := map[string]struct{ firing, over int }{"slack": {15, 5}, "text": {25, 10}, "html": {40, 20}}
	for _, name := range bodies {
		for _, more := range []int{0, 1} {
			var alerts []*types.Alert
			for i := range shown[name].firing + more {
				alerts = append(alerts, leaderBad(fmt.Sprint("firing-", i), false))
			}
			for i := range shown[name].over + more {
				alerts = append(alerts, leaderBad(fmt.Sprint("over-", i), true))
			}
			text := rendered(t, ofGroup, alerts...)[name]
			for prefix, want := range map[string]struct {
				shown int
				line  string
			}{
				"firing-": {shown[name].firing, "%d alerts fire; %d are shown."},
				"over-":   {shown[name].over, "%d alerts are resolved; %d are shown."},
			} {
				told := map[string]bool{}
				for _, leader := range regexp.MustCompile("to leader "+prefix+`\d+ miss`).FindAllString(text, -1) {
					told[leader] = true
				}
				if len(told) != want.shown {
					t.Errorf("%s shows %d of %s, want %d", name, len(told), prefix, want.shown)
				}
				if line := fmt.Sprintf(want.line, want.shown+1, want.shown); strings.Contains(text, line) != (more == 1) {
					t.Errorf("%s with %d more: %q is there: %v", name, more, line, more == 0)
				}
			}
		}
	}
}

// Two days must not read like two minutes.
func TestTheEndOfAnAlertHasItsDate(t *testing.T) {
	a := leaderBad("2", true)
	a.EndsAt = a.StartsAt.Add(48*time.Hour + 12*time.Minute)
	all := rendered(t, ofGroup, a)
	for _, name := range bodies {
		if !strings.Contains(all[name], "2026-01-05 10:00:00 UTC to 2026-01-07 10:12:00 UTC") {
			t.Errorf("%s:\n%s", name, all[name])
		}
	}
}

// A label comes from outside: it must not call a whole channel.
func TestALabelCallsNobody(t *testing.T) {
	a := leaderBad("<!channel>", false)
	for name, text := range map[string]string{"firing": rendered(t, ofGroup, a)["slack"], "several": rendered(t, ofGroup, a, leaderBad("<!here>", true))["slack"]} {
		if strings.Contains(text, "<!") || !strings.Contains(text, "&lt;!channel&gt;") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// Only Slack takes these characters for its own: a pager and a mail show them as they are, whole titles too.
func TestATitleIsEscapedForSlackAlone(t *testing.T) {
	for name, alerts := range map[string][]*types.Alert{
		"firing":            {leaderBad("<a&b>", false)},
		"over":              {leaderBad("<a&b>", true)},
		"several":           {leaderBad("<a&b>", false), leaderBad("2", true)},
		"without a summary": {alert(map[string]string{"alertname": "<a&b>"}, nil, false)},
	} {
		all := rendered(t, map[string]string{"alertname": "LeaderProbesBad", "cluster": "<a&b>"}, alerts...)
		if !strings.Contains(all["title"], "<a&b>") {
			t.Errorf("%s: title %q", name, all["title"])
		}
		if want := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(all["title"]); all["slack.title"] != want {
			t.Errorf("%s: %q, want %q", name, all["slack.title"], want)
		}
	}
}

func TestEveryTextThatIsSentIsTested(t *testing.T) {
	used := regexp.MustCompile(`template "phasewise\.([\w.]+)" \.`).FindAllStringSubmatch(read(t, "production.yml"), -1)
	if len(used) == 0 {
		t.Fatal("production.yml uses no template")
	}
	for _, name := range used {
		if texts[name[1]] == 0 {
			t.Errorf("production.yml sends %s, which has no bound here", name[1])
		}
	}
}

// A webhook gets all alerts of a group with all their labels, unless it is told how many.
func TestEveryWebhookOfAlertsHasABound(t *testing.T) {
	for _, file := range []string{"alertmanager.yml", "production.yml"} {
		hooks := regexp.MustCompile(`url_file: \S*(?:receiver.url|ticket-webhook)\n(?: +\S.*\n)*? +max_alerts: 100\n`).FindAllString(read(t, file), -1)
		if len(hooks) != 1 {
			t.Errorf("%s: %d webhooks have max_alerts", file, len(hooks))
		}
	}
}

// The parts that templates look for are what the rules write.
func TestTheTableIsFoundInWhatTheRulesWrite(t *testing.T) {
	written := regexp.MustCompile(`(?m)^\n +(Mean of the last .*)\n +phase +now +baseline +share`).FindAllString(read(t, "../prometheus/rules/kafka-canary-alerts.yml"), -1)
	if len(written) < 5 {
		t.Errorf("the rules have %d tables", len(written))
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
