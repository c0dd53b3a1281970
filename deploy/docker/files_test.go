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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// made are the files that ./phasewise secrets makes; ComposeSecretsTest holds the list against what it does.
func made(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("secured-files.txt")
	require.NoError(t, err)
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
	require.NoError(t, err)
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
		{"../../prometheus/prometheus.yml", services(t, bareStack)["prometheus"], []string{"links.yml", "rules/*.yml", "targets/kafka-canary.yml"}},
		{
			"../../prometheus/prometheus-secured.yml", services(t, securedStack)["prometheus"],
			[]string{"rules/*.yml", "targets/kafka-canary.yml", "secrets/ca.pem", "secrets/password", "secrets/canary-password"},
		},
	} {
		text, err := os.ReadFile(stack.configuration)
		require.NoError(t, err)
		var configuration map[string]any
		require.NoError(t, yaml.Unmarshal(text, &configuration))
		files := named(configuration)
		for _, each := range stack.atLeast {
			assert.Contains(t, files, each, stack.configuration)
		}
		for _, each := range files {
			assert.True(t, there(t, stack.prometheus, path.Join("/etc/prometheus", each)), "%s names %s, which no mount brings", stack.configuration, each)
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
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &links))
		labels := links.Groups[0].Rules[0].Labels
		receiver, grafana := stack.services["receiver"], stack.services["grafana"]
		assert.Equal(t, stack.scheme+"://127.0.0.1:"+receiver.Ports[0].Published+"/runbooks", labels["runbooks"], "runbooks")
		assert.Equal(t, stack.scheme+"://127.0.0.1:"+grafana.Ports[0].Published, labels["grafana"], "grafana")
		at := slices.Index(receiver.Command, "--runbooks")
		require.GreaterOrEqual(t, at, 0, "the receiver's command has no --runbooks: %v", receiver.Command)
		assert.True(t, there(t, receiver, receiver.Command[at+1]+"/MostProbesBad.md"), "the receiver shows no runbooks: %v", receiver.Volumes)
		assert.True(t, there(t, grafana, *grafana.Environment["PHASEWISE_DASHBOARDS"]+"/kafka-latency-overview.json"), "Grafana has no dashboards: %v", grafana.Volumes)
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
				assert.True(t, there(t, service, file), "%s names %s, which ./phasewise secrets does not make", name, file)
			}
		}
	}
	for _, name := range []string{"canary", "kafka-1", "prometheus", "alertmanager", "receiver", "grafana", "node-exporter"} {
		assert.True(t, seen[name], "%s names no secret: this test does not see how", name)
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
		require.NoError(t, err)
	}
	return all.String()
}
