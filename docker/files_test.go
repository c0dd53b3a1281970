// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package docker

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v3"
)

// made are the files that ./phasewise secrets makes; ComposeSecretsTest holds the list against what it does.
func made(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("secured-files.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// there says whether a path of a service's container, or a glob, is a file that a mount brings: one of the repository, or one of .secured that is made.
// A mount of a file counts as that file, one of a directory as all that is in it; the innermost one of several decides.
func there(t *testing.T, service types.ServiceConfig, file string) bool {
	t.Helper()
	var mount types.ServiceVolumeConfig
	for _, each := range service.Volumes {
		if (file == each.Target || strings.HasPrefix(file, each.Target+"/")) && len(each.Target) > len(mount.Target) {
			mount = each
		}
	}
	if mount.Target == "" {
		return false
	}
	host := mount.Source + strings.TrimPrefix(file, mount.Target)
	if _, inside, is := strings.Cut(host, internal); is {
		return slices.Contains(made(t), inside)
	}
	found, err := filepath.Glob(host)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}

// named are the files that a Prometheus configuration names, as it writes them: what keys that end in _file say, rules, and files of targets.
func named(node any) []string {
	var all []string
	switch here := node.(type) {
	case map[string]any:
		for key, value := range here {
			text, isText := value.(string)
			if isText && strings.HasSuffix(key, "_file") {
				all = append(all, text)
			} else if list, isList := value.([]any); isList && (key == "rule_files" || key == "files") {
				for _, each := range list {
					all = append(all, each.(string))
				}
			} else {
				all = append(all, named(value)...)
			}
		}
	case []any:
		for _, each := range here {
			all = append(all, named(each)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryFileThatPrometheusNamesIsMounted(t *testing.T) {
	for _, stack := range []struct {
		configuration string
		prometheus    types.ServiceConfig
		atLeast       []string
	}{
		{"../prometheus/prometheus.yml", services(t, bareStack)["prometheus"], []string{"links.yml", "rules/*.yml", "targets/kafka-canary.yml"}},
		{
			"../prometheus/prometheus-secured.yml", services(t, securedStack)["prometheus"],
			[]string{"rules/*.yml", "targets/kafka-canary.yml", "secrets/ca.pem", "secrets/password", "secrets/canary-password"},
		},
	} {
		text, err := os.ReadFile(stack.configuration)
		if err != nil {
			t.Fatal(err)
		}
		var configuration map[string]any
		if err := yaml.Unmarshal(text, &configuration); err != nil {
			t.Fatal(err)
		}
		files := named(configuration)
		for _, each := range stack.atLeast {
			if !slices.Contains(files, each) {
				t.Errorf("%s: %s is not among the files found: %v", stack.configuration, each, files)
			}
		}
		for _, each := range files {
			if !there(t, stack.prometheus, path.Join("/etc/prometheus", each)) {
				t.Errorf("%s names %s, which no mount brings", stack.configuration, each)
			}
		}
	}
}

// As Prometheus puts them into alerts: the ports are published, the runbooks and the dashboard are mounted where they are shown.
func TestTheLinksOfAlertsLeadToWhatTheStackShows(t *testing.T) {
	for _, stack := range []struct {
		scheme   string
		services types.Services
	}{{"http", services(t, bareStack)}, {"https", services(t, securedStack)}} {
		var links struct {
			Groups []struct {
				Rules []struct{ Labels map[string]string }
			}
		}
		text, err := os.ReadFile(source(t, stack.services["prometheus"], "/etc/prometheus/links.yml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, &links); err != nil {
			t.Fatal(err)
		}
		labels := links.Groups[0].Rules[0].Labels
		receiver, grafana := stack.services["receiver"], stack.services["grafana"]
		if want := stack.scheme + "://127.0.0.1:" + receiver.Ports[0].Published + "/runbooks"; labels["runbooks"] != want {
			t.Errorf("runbooks: got %s, want %s", labels["runbooks"], want)
		}
		if want := stack.scheme + "://127.0.0.1:" + grafana.Ports[0].Published; labels["grafana"] != want {
			t.Errorf("grafana: got %s, want %s", labels["grafana"], want)
		}
		at := slices.Index(receiver.Command, "--runbooks")
		if at < 0 {
			t.Fatalf("the receiver's command has no --runbooks: %v", receiver.Command)
		}
		if !there(t, receiver, receiver.Command[at+1]+"/MostProbesBad.md") {
			t.Errorf("the receiver shows no runbooks: %v", receiver.Volumes)
		}
		if !there(t, grafana, *grafana.Environment["PHASEWISE_DASHBOARDS"]+"/kafka-latency-overview.json") {
			t.Errorf("Grafana has no dashboards: %v", grafana.Volumes)
		}
	}
}

// source is the file on the host that a mount brings to a path of a service's container.
func source(t *testing.T, service types.ServiceConfig, file string) string {
	t.Helper()
	for _, volume := range service.Volumes {
		if volume.Target == file {
			return volume.Source
		}
	}
	t.Fatalf("%s: no mount brings %s", service.Name, file)
	return ""
}

// Of all services: in the command, the environment, the health check, and in files of the repository that are mounted.
func TestEverySecretThatIsNamedIsMade(t *testing.T) {
	seen := map[string]bool{}
	for name, service := range services(t, securedStack) {
		for _, volume := range service.Volumes {
			_, inside, is := strings.Cut(volume.Source, internal)
			if !is || slices.Contains(made(t), inside) {
				continue // a file that is made
			}
			secret := regexp.MustCompile(regexp.QuoteMeta(volume.Target) + `/[\w.-]*\w`)
			for _, file := range secret.FindAllString(everything(service)+mounted(t, service), -1) {
				seen[name] = true
				if !there(t, service, file) {
					t.Errorf("%s names %s, which ./phasewise secrets does not make", name, file)
				}
			}
		}
	}
	for _, name := range []string{"canary", "kafka-1", "prometheus", "alertmanager", "receiver", "grafana", "node-exporter"} {
		if !seen[name] {
			t.Errorf("%s names no secret: this test does not see how", name)
		}
	}
}

// mounted is the text of all files of the repository that a service mounts.
func mounted(t *testing.T, service types.ServiceConfig) string {
	t.Helper()
	var all strings.Builder
	for _, volume := range service.Volumes {
		if volume.Type != types.VolumeTypeBind || strings.Contains(volume.Source, internal) || volume.Source == "/" {
			continue
		}
		err := filepath.WalkDir(volume.Source, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
