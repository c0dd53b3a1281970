// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What is scraped may be there more than once. The unit tests of the rules expect the very same of data in which every sample is.

// promtool is that of the local stack, or installed.
func promtool(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache")
	}
	built, err := filepath.Glob(filepath.Join(cache, "phasewise/servers/prometheus-*/promtool"))
	if err != nil {
		t.Fatal(err)
	}
	if len(built) > 0 {
		return built[len(built)-1]
	}
	installed, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed, and ./phasewise up has not built it")
	}
	return installed
}

var (
	selector = regexp.MustCompile(`^([a-zA-Z_:][\w:]*)\s*(?:\{(.*)\})?$`)
	label    = regexp.MustCompile(`\s*(\w+)\s*=\s*"([^"]*)"\s*,?`)
)

// series is a line of input_series, taken apart.
type series struct {
	name   string
	labels map[string]string
}

func parseSeries(t *testing.T, text string) series {
	t.Helper()
	parts := selector.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil || label.ReplaceAllString(parts[2], "") != "" {
		t.Fatalf("this is no series: %s", text)
	}
	s := series{name: parts[1], labels: map[string]string{}}
	for _, each := range label.FindAllStringSubmatch(parts[2], -1) {
		s.labels[each[1]] = each[2]
	}
	return s
}

// with is the same series with these labels; an empty one is taken away.
func (s series) with(changes ...string) series {
	labels := maps.Clone(s.labels)
	for i := 0; i < len(changes); i += 2 {
		labels[changes[i]] = changes[i+1]
		if changes[i+1] == "" {
			delete(labels, changes[i])
		}
	}
	return series{s.name, labels}
}

func (s series) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.labels)) {
		all = append(all, fmt.Sprintf("%s=%q", name, s.labels[name]))
	}
	return s.name + "{" + strings.Join(all, ",") + "}"
}

// isScraped is of what a target has. What rules record comes once from each Prometheus.
func (s series) isScraped() bool {
	return s.name == "up" || strings.HasPrefix(s.name, "jvm_") ||
		strings.HasPrefix(s.name, "kafka_") && !strings.Contains(s.name, ":") && s.name != suspects
}

// again is the series as others have it. Two exporters in one job are two targets: of up, and of what only ours says, there is one.
func (s series) again() []series {
	if !s.isScraped() {
		return nil
	}
	another := s.labels["instance"] + s.labels["broker"] + ":5556"
	all := []series{
		s.with("prometheus", "monitoring/b", "replica", "b"),
		s.with("job", "kubernetes-pods", "instance", another, "pod", "a"),
	}
	if s.labels["job"] == "kafka-canary" {
		return all
	}
	// A job of somebody else that knows the cluster and not the broker.
	all = append(all, s.with("job", "jmx", "instance", another, "broker", ""))
	if s.name != "up" && !strings.HasPrefix(s.name, "kafka_exporter_") {
		all = append(all, s.with("instance", another))
	}
	return all
}

// doubled writes a file of tests with every sample there more than once. What a test names as input that a rule records stays as it is.
func doubled(t *testing.T, file, directory string) string {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(read(t, file)), &document); err != nil {
		t.Fatal(err)
	}
	root := document.Content[0]
	added := 0
	for i := 0; i < len(root.Content); i += 2 {
		switch value := root.Content[i+1]; root.Content[i].Value {
		case "rule_files":
			for _, path := range value.Content {
				absolute, err := filepath.Abs(filepath.Join(filepath.Dir(file), path.Value))
				if err != nil {
					t.Fatal(err)
				}
				path.Value = absolute
			}
		case "tests":
			for _, test := range value.Content {
				added += doubleInput(t, test)
			}
		}
	}
	if added == 0 {
		return ""
	}
	content, err := yaml.Marshal(&document)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(directory, filepath.Base(file))
	if err := os.WriteFile(copied, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

func doubleInput(t *testing.T, test *yaml.Node) int {
	t.Helper()
	added := 0
	for i := 0; i < len(test.Content); i += 2 {
		if test.Content[i].Value != "input_series" {
			continue
		}
		list := test.Content[i+1]
		for _, input := range slices.Clone(list.Content) {
			var one struct{ Series, Values string }
			if err := input.Decode(&one); err != nil {
				t.Fatal(err)
			}
			for _, copied := range parseSeries(t, one.Series).again() {
				entry := mapping()
				add(entry, "series", text(copied.String()))
				add(entry, "values", text(one.Values))
				list.Content = append(list.Content, entry)
				added++
			}
		}
	}
	return added
}

func TestRulesSayTheSameWhenEverySampleIsThereTwice(t *testing.T) {
	tool := promtool(t)
	files, err := filepath.Glob("../tests/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	directory := t.TempDir()
	for _, file := range files {
		copied := doubled(t, file, directory)
		if copied == "" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			command := exec.Command(tool, "test", "rules", copied)
			command.Env = append(os.Environ(), "GOGC=800")
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v, where every sample is there from a second job or server, too. What a rule counts or adds up is first reduced to one value of each: identity.go\n%s", err, said)
			}
		})
	}
}

// A selector without a job reads what others scrape, too.
func TestEverySelectorOfWhatIsScrapedNamesItsJob(t *testing.T) {
	// Not what names metrics within a string, nor lists of labels.
	noise := regexp.MustCompile(`__name__=~"[^"]*"|\b(by|on|ignoring|group_left|group_right) \([^)]*\)`)
	selectors := regexp.MustCompile(`\b((?:kafka|jvm|process)_\w+)(:)?(\{[^}]*\})?`)
	for _, f := range ruleFiles(committedSettings(t)) {
		for _, g := range f.groups {
			for _, r := range g.rules {
				for _, found := range selectors.FindAllStringSubmatch(noise.ReplaceAllString(r.expr, ""), -1) {
					name := found[1]
					if found[2] == ":" || name == suspects {
						continue
					}
					if !strings.Contains(found[3], "job=") {
						t.Errorf("%s%s reads %s%s, which names no job; write %s{job=\"kafka-broker\"} or that of the canary", r.record, r.alert, name, found[3], name)
					}
				}
			}
		}
	}
}
