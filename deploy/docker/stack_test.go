// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package docker

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// A name and a version with at least three numbers; no registry, no digest, no moving tag.
var pinned = regexp.MustCompile(`^[a-z0-9-]+(/[a-z0-9-]+)?:v?\d+\.\d+\.\d+\S*$`)

var secret = regexp.MustCompile(`(?i)passw|secret|token|credential|api_?key|private_?key`)

func text(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../..", file))
	require.NoError(t, err)
	return string(content)
}

// first is the first group of the first place that matches.
func first(t *testing.T, pattern, in string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(in)
	require.NotNil(t, found, "no %s", pattern)
	return found[1]
}

// arguments are the first ones of each instruction of this name, by the Dockerfiles that services are built from.
func arguments(t *testing.T, instruction string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, service := range services(t, bareStack) {
		if service.Build == nil {
			continue
		}
		file := service.Build.Dockerfile
		all[file] = nil
		for line := range strings.Lines(text(t, file)) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == instruction {
				all[file] = append(all[file], words[1])
			}
		}
	}
	return all
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	assert.Equal(t, want, slices.Sorted(slices.Values(got)), what)
}

func TestEveryImageIsPinnedToAVersion(t *testing.T) {
	for name, service := range services(t, bareStack) {
		assert.True(t, pinned.MatchString(service.Image), "%s: %s", name, service.Image)
	}
	for file, bases := range arguments(t, "FROM") {
		assert.NotEmpty(t, bases, "%s: FROM nothing", file)
		for _, base := range bases {
			// Of nothing there is no version.
			assert.True(t, base == "scratch" || pinned.MatchString(base), "%s: FROM %s", file, base)
		}
	}
}

func TestEveryContainerRunsAsAnOrdinaryUser(t *testing.T) {
	users := arguments(t, "USER")
	for _, file := range []string{"canary/Dockerfile", "lab/Dockerfile"} {
		assert.NotEmpty(t, users[file], "%s: no USER", file)
	}
	for file, names := range users {
		assert.NotContains(t, names, "root", file)
		assert.NotContains(t, names, "0", file)
	}
	for name, service := range services(t, bareStack) {
		assert.Empty(t, service.User, name)
		assert.False(t, service.Privileged, name)
		assert.Empty(t, service.CapAdd, name)
		assert.Equal(t, []string{"ALL"}, service.CapDrop, name)
		assert.Contains(t, service.SecurityOpt, "no-new-privileges:true", name)
	}
}

// The volume is made of the directory in the image, with its owner.
func TestTheCanaryKeepsWhatItLearnsInAVolumeThatItMayWriteTo(t *testing.T) {
	for _, stack := range []func() (*types.Project, error){bareStack, securedStack} {
		canary := services(t, stack)["canary"]
		assert.True(t, canary.ReadOnly, "the root")
		file := canary.Environment["CANARY_STATE_FILE"]
		require.NotNil(t, file)
		directory := filepath.Dir(*file)
		assert.True(t, slices.ContainsFunc(canary.Volumes, func(volume types.ServiceVolumeConfig) bool {
			return volume.Target == directory && volume.Type == types.VolumeTypeVolume && !volume.ReadOnly
		}), "no volume at %s: %v", directory, canary.Volumes)
		assert.Regexp(t, `install --directory --owner=phasewise .*`+regexp.QuoteMeta(directory), text(t, "canary/Dockerfile"))
		assert.Contains(t, arguments(t, "USER")["canary/Dockerfile"], "phasewise")
	}
}

func TestThePortsOfTheLocalStackArePublishedOnTheLoopbackInterfaceOnly(t *testing.T) {
	var published []string
	for name, service := range services(t, bareStack) {
		assert.Empty(t, service.NetworkMode, "%s: network_mode", name)
		for _, port := range service.Ports {
			published = append(published, port.Published)
			assert.Equal(t, "127.0.0.1", port.HostIP, "%s: %s is published on", name, port.Published)
		}
	}
	equal(t, "ports", published, []string{"19092", "19093", "19094", "3000", "7071", "7072", "7073", "9090", "9093", "9095", "9470"})
}

func TestABrokerTellsClientsOnTheHostThePortThatIsPublished(t *testing.T) {
	for id := 1; id <= 3; id++ {
		broker := services(t, bareStack)[fmt.Sprintf("kafka-%d", id)]
		port := 19091 + id
		for key, want := range map[string]string{
			"KAFKA_NODE_ID":              strconv.Itoa(id),
			"KAFKA_ADVERTISED_LISTENERS": fmt.Sprintf("INTERNAL://kafka-%d:9092,EXTERNAL://127.0.0.1:%d", id, port),
			"KAFKA_LISTENERS":            fmt.Sprintf("INTERNAL://:9092,CONTROLLER://:9093,EXTERNAL://:%d", port),
		} {
			assert.Equal(t, want, *broker.Environment[key], "%s: %s", broker.Name, key)
		}
		assert.True(t, slices.ContainsFunc(broker.Ports, func(each types.ServicePortConfig) bool {
			return each.Published == strconv.Itoa(port) && int(each.Target) == port
		}), "%s: ports %v", broker.Name, broker.Ports)
	}
}

// Compose itself refuses to wait for a service that is not there.
func TestEveryServiceSaysWhetherItIsHealthyAndWaitsForHealthyOnes(t *testing.T) {
	for name, service := range services(t, bareStack) {
		check := service.HealthCheck
		if check == nil || check.Disable || check.Test[0] != "CMD" || check.Interval == nil || check.Timeout == nil || check.Retries == nil || check.StartPeriod == nil {
			t.Errorf("%s: healthcheck %v", name, check)
		}
		for on, dependency := range service.DependsOn {
			assert.Equal(t, types.ServiceConditionHealthy, dependency.Condition, "until when %s waits for %s", name, on)
		}
	}
	equal(t, "the canary waits for", slices.Collect(maps.Keys(services(t, bareStack)["canary"].DependsOn)), []string{"kafka-1", "kafka-2", "kafka-3"})
}

func TestNoContainerCanTakeTheHostsMemoryOrFillItsDiskWithLogs(t *testing.T) {
	for name, service := range services(t, bareStack) {
		if service.MemLimit <= 0 || service.Logging == nil || service.Logging.Options["max-size"] == "" || service.Logging.Options["max-file"] == "" {
			t.Errorf("%s: mem_limit %d, logging %v", name, service.MemLimit, service.Logging)
		}
	}
}

func TestThePlainFileHoldsNoSecret(t *testing.T) {
	project, err := bareStack()
	require.NoError(t, err)
	assert.Empty(t, project.Secrets)
	for name, service := range project.Services {
		assert.Empty(t, service.Secrets, name)
		assert.Empty(t, service.EnvFiles, name)
		for key := range service.Environment {
			assert.False(t, secret.MatchString(key), "%s: %s", name, key)
		}
	}
	// Nobody can log in, so there is no password to know.
	for key, want := range map[string]string{
		"GF_AUTH_ANONYMOUS_ORG_ROLE": "Viewer", "GF_AUTH_DISABLE_LOGIN_FORM": "true", "GF_AUTH_BASIC_ENABLED": "false",
	} {
		assert.Equal(t, want, *project.Services["grafana"].Environment[key], key)
	}
}

// Compose itself refuses a volume that is not declared.
func TestEveryMountIsAVolumeOrAReadOnlyFileOfThisRepository(t *testing.T) {
	for name, service := range services(t, bareStack) {
		for _, mount := range service.Volumes {
			if mount.Type == types.VolumeTypeVolume {
				continue
			}
			_, err := os.Stat(mount.Source)
			assert.NoError(t, err, name)
			assert.True(t, mount.ReadOnly, "%s: %s", name, mount.Source)
			inside, err := filepath.Rel(filepath.Dir(bareFile(t)), mount.Source)
			if ofHost := name == "node-exporter" && mount.Source == "/"; !ofHost && (err != nil || strings.HasPrefix(inside, "..")) {
				t.Errorf("%s: %s is not of this repository", name, mount.Source)
			}
		}
	}
}

func bareFile(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs(plain)
	require.NoError(t, err)
	return file
}

func TestPrometheusFindsItsTargetsByServiceName(t *testing.T) {
	files, err := filepath.Glob("../../prometheus/compose/targets/*.yml")
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		var groups []struct{ Targets []string }
		require.NoError(t, yaml.Unmarshal([]byte(text(t, strings.TrimPrefix(file, "../../"))), &groups))
		for _, group := range groups {
			found = append(found, group.Targets...)
		}
	}
	equal(t, "targets", found, []string{
		"alertmanager:9093", "canary:9470", "kafka-1:7071", "kafka-2:7071", "kafka-3:7071", "node-exporter:9100", "prometheus:9090",
	})
}

func TestTheVersionsAreThoseOfTheLocalStack(t *testing.T) {
	all := services(t, bareStack)
	pom := text(t, "pom.xml")
	assert.Contains(t, arguments(t, "FROM")["exporter/Dockerfile"], "apache/kafka:"+first(t, "<kafka.version>(.+)</kafka.version>", pom))
	// Prometheus 3.15.0 is the Go module's v0.315.0.
	version := strings.Split(first(t, `github.com/prometheus/prometheus v0\.(\S+)`, text(t, "prometheus/go.mod")), ".")
	minor, err := strconv.Atoi(version[0])
	require.NoError(t, err)
	want := map[string]string{
		"prometheus":   fmt.Sprintf("prom/prometheus:v%d.%d.%s", minor/100, minor%100, version[1]),
		"alertmanager": "prom/alertmanager:" + first(t, `github.com/prometheus/alertmanager (\S+)`, text(t, "alerting/go.mod")),
	}
	own := first(t, `<artifactId>phasewise</artifactId>\s*<version>(.+)<`, pom)
	for name, image := range map[string]string{"canary": "canary", "receiver": "receiver", "kafka-1": "kafka", "kafka-2": "kafka", "kafka-3": "kafka"} {
		want[name] = "phasewise/" + image + ":" + own
	}
	for name, image := range want {
		assert.Equal(t, image, all[name].Image, name)
	}
}
