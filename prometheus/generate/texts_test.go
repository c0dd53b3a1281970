// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func runbook(t *testing.T, alert string) string {
	t.Helper()
	return read(t, filepath.Join("../..", runbookDirectory, alert+".md"))
}

// row is a table's row by its key.
func row(t *testing.T, text, key string) string {
	t.Helper()
	found := regexp.MustCompile("(?m)^ *\\| `" + regexp.QuoteMeta(key) + "` \\|.*$").FindString(text)
	if found == "" {
		t.Errorf("no row of a table has the key %s", key)
	}
	return found
}

// rolesNamed are those that the canary can name: all that are defined but unknown.
func rolesNamed(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, found := range regexp.MustCompile(`(?m)^    ([A-Z_]+)[,;]$`).FindAllStringSubmatch(read(t, "../../common/src/main/java/io/phasewise/common/phase/Role.java"), -1) {
		if role := strings.ToLower(found[1]); role != "unknown" {
			all = append(all, role)
		}
	}
	if len(all) < 8 {
		t.Fatalf("only %q are defined", all)
	}
	return all
}

func TestEveryRoleOfASuspectHasAStepAndARowInTheRunbook(t *testing.T) {
	var stepped []string
	text := runbook(t, roleRunbook)
	for _, r := range committedSettings(t).SuspectRoles {
		stepped = append(stepped, r.Role)
		row(t, text, r.Role)
	}
	named := rolesNamed(t)
	slices.Sort(named)
	slices.Sort(stepped)
	if !slices.Equal(named, stepped) {
		t.Errorf("the canary names roles %q, the settings have steps for %q", named, stepped)
	}
}

// A page and its runbook must not say opposite things of moving leadership.
func TestPageAndRunbookSayTheSameOfMovingLeadership(t *testing.T) {
	text := runbook(t, roleRunbook)
	for _, r := range committedSettings(t).SuspectRoles {
		const useless = "oving leadership off it does not help"
		inRow := row(t, text, r.Role)
		if strings.Contains(r.Next, useless) != strings.Contains(inRow, useless) {
			t.Errorf("role %s: the page says %q, the runbook %q", r.Role, r.Next, inRow)
		}
		if strings.Contains(r.Next, "`demote`") != strings.Contains(inRow, "go to 2") {
			t.Errorf("role %s: only one of page and runbook sends to demote: %q, %q", r.Role, r.Next, inRow)
		}
	}
}

// Whoever reads two alerts of one fault must not have to ask whether they say the same.
func TestSuspectsAreNamedInTheSameWordsEverywhere(t *testing.T) {
	lines := map[string][]string{}
	everyAlert(t, func(_ group, r rule) {
		for _, line := range regexp.MustCompile(`(?m)^Suspect: \{\{ \$who.*$`).FindAllString(r.annotations["description"], -1) {
			// Words, not queries: BrokerDegraded asks for the last minute, as it bridges moments without the name.
			words := regexp.MustCompile(`query \(printf "[^"]*"[^)]*\)`).ReplaceAllString(line, "query")
			lines[words] = append(lines[words], r.alert)
		}
	})
	if len(lines) != 1 {
		t.Errorf("%d forms of one sentence: %q", len(lines), lines)
	}
	for _, alerts := range lines {
		for _, alert := range []string{"BrokerDegraded", "LeaderProbesBad", "MostProbesBad", "SLOFastBurn"} {
			if !slices.Contains(alerts, alert) {
				t.Errorf("%s names no suspect: only %q do", alert, alerts)
			}
		}
	}
}

// Of one leader: no number of another one, and none of all.
func TestATextAboutOneLeaderHasOnlyThatLeadersNumbers(t *testing.T) {
	query := regexp.MustCompile(`query \(printf "((?:[^"\\]|\\.)*)"`)
	mean := regexp.MustCompile(`latency_seconds_by_(leader|cluster)`)
	ofOne, ofAll := 0, 0
	everyAlert(t, func(_ group, r rule) {
		one := strings.Contains(r.annotations["dashboard_url"], "var-leader=") || r.alert == "PhaseRegression"
		for name, text := range r.annotations {
			if name != "summary" && name != "description" {
				continue
			}
			_, table, has := strings.Cut(text, "\n\n"+tableHead)
			if has && one {
				ofOne++
			} else if has {
				ofAll++
			}
			if has && strings.Contains(table, ", leader {{ $leader }}") != one {
				t.Errorf("%s: whose is the table? %s", r.alert, table)
			}
			for _, found := range query.FindAllStringSubmatch(text, -1) {
				asked := found[1]
				switch {
				case !one || strings.Contains(asked, "kafka_canary_slo_target_seconds"):
				// Suspects are those of the cluster.
				case strings.Contains(asked, suspects+"{") || strings.HasPrefix(asked, "phasewise:suspect_roles{"):
				// Which leader it is about.
				case r.alert == "PhaseRegression" && strings.HasPrefix(asked, "topk(1, "+phaseByLeader+":excess5m{"):
				case !strings.Contains(asked, "leader=%") && !strings.Contains(asked, "broker=%"):
					t.Errorf("%s is about one leader, and asks %s", r.alert, asked)
				}
				if by := mean.FindStringSubmatch(asked); one && by != nil && by[1] == "cluster" {
					t.Errorf("%s is about one leader, and asks for all: %s", r.alert, asked)
				}
			}
		}
	})
	if ofOne < 3 || ofAll < 4 {
		t.Errorf("%d tables of one leader, %d of all", ofOne, ofAll)
	}
}

// Means of one table and what is said of them are of one window.
func TestTheWindowOfATableIsSaidAbove(t *testing.T) {
	everyAlert(t, func(_ group, r rule) {
		_, table, has := strings.Cut(r.annotations["description"], "\n\n"+tableHead)
		if !has {
			return
		}
		window := "1m"
		if strings.HasPrefix(table, "5m,") {
			window = "5m"
		} else if !strings.HasPrefix(table, "minute,") {
			t.Errorf("%s: of which time is the table? %s", r.alert, table)
		}
		for _, other := range regexp.MustCompile(`:(?:mean|share)(\d+m)`).FindAllStringSubmatch(table, -1) {
			if other[1] != window {
				t.Errorf("%s: the table of %s has a mean of %s", r.alert, window, other[1])
			}
		}
	})
}

func TestEveryTextSaysTheWordThatItsRunbookLooksFor(t *testing.T) {
	said := regexp.MustCompile(`(?i)the alert says ((?:\*[^*]+\*(?: or )?)+)`)
	texts := map[string]string{}
	everyAlert(t, func(_ group, r rule) {
		texts[r.alert] += r.annotations["summary"] + "\n" + r.annotations["description"] + "\n"
	})
	looked := 0
	for alert, text := range texts {
		for _, words := range said.FindAllStringSubmatch(runbook(t, alert), -1) {
			for _, word := range strings.Split(words[1], " or ") {
				looked++
				if word = strings.Trim(word, "*"); !strings.Contains(text, word) {
					t.Errorf("the runbook of %s looks for %q, which the alert never says", alert, word)
				}
			}
		}
		// What a text sends to.
		for _, other := range regexp.MustCompile(`[Rr]unbook ([A-Z]\w+)`).FindAllStringSubmatch(text, -1) {
			looked++
			runbook(t, other[1])
		}
		if strings.Contains(text, "step 2 of the runbook") {
			for _, phase := range phases {
				row(t, runbook(t, alert), phase)
			}
		}
	}
	if looked < 5 {
		t.Errorf("only %d words were looked for", looked)
	}
}

const (
	clientProperties = "`client.properties` is the file with which an administrator's client logs in"
	launcher         = "`./phasewise` is the launcher in a checkout of Phasewise"
)

// Whoever is woken has not read the manual: what a command needs is on the same page.
func TestARunbookSaysWhereItsCommandsComeFrom(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("../..", runbookDirectory, "*.md"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d runbooks: %v", len(files), err)
	}
	for _, file := range files {
		text := read(t, file)
		for use, origin := range map[string]string{
			"--command-config client.properties": clientProperties,
			"$K ":                                "\nK=\"",
			"./phasewise demote":                 launcher,
			"./phasewise telemetry":              launcher,
			"`--prometheus http":                 launcher,
		} {
			if strings.Contains(text, use) && !strings.Contains(text, origin) {
				t.Errorf("%s uses %q, and does not say %q", filepath.Base(file), use, origin)
			}
		}
	}
}

// What demote prints decides the next step, so the runbook has it word for word.
func TestTheRunbookHasDemotesOwnWords(t *testing.T) {
	sources := read(t, "../../tools/src/main/java/io/phasewise/tools/cli/GainText.java") +
		read(t, "../../tools/src/main/java/io/phasewise/tools/cli/GainReport.java") +
		read(t, "../../tools/src/main/java/io/phasewise/tools/cli/DemoteCommand.java")
	text := runbook(t, roleRunbook)
	for _, words := range []string{
		"No difference shown, as the interval holds zero: moving leadership does not help here",
		"makes probes slower",
		"more stays than goes",
		"No prediction",
		"Nothing to move",
	} {
		if !strings.Contains(sources, words) || !strings.Contains(text, words) {
			t.Errorf("demote says %q: %v; the runbook has it: %v", words, strings.Contains(sources, words), strings.Contains(text, words))
		}
	}
}
