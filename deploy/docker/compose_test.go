// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package docker holds what the containers need beside their images. Its tests read the Compose files as Compose does; that the containers run is left
// to whoever has a Docker engine.
package docker

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	plain    = "../../docker-compose.yml"
	overlay  = "docker-compose.secured.yml"
	internal = "/.secured/"
)

// Each is read once: Compose checks a file against a schema, which takes a moment.
var (
	bareStack    = sync.OnceValues(func() (*types.Project, error) { return read(plain) })
	securedStack = sync.OnceValues(func() (*types.Project, error) { return read(plain, overlay) })
)

func read(files ...string) (*types.Project, error) {
	options, err := cli.NewProjectOptions(files, cli.WithName("test"))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}

func services(t *testing.T, stack func() (*types.Project, error)) types.Services {
	t.Helper()
	project, err := stack()
	require.NoError(t, err)
	return project.Services
}

func TestTheSecuredStackIsThePlainOneAndWhoSetsItUp(t *testing.T) {
	secured := services(t, securedStack)
	bare := services(t, bareStack)
	expected := append(slices.Collect(maps.Keys(bare)), "setup")
	slices.Sort(expected)
	require.Equal(t, expected, slices.Sorted(maps.Keys(secured)), "services")
	assert.Equal(t, secured["kafka-1"].Image, secured["setup"].Image, "what setup runs")
	for name, service := range bare {
		over := secured[name]
		assert.Equal(t, service.Image, over.Image, name)
		assert.Equal(t, service.MemLimit, over.MemLimit, name)
		assert.Equal(t, service.ReadOnly, over.ReadOnly, name)
		assert.Len(t, over.Ports, len(service.Ports), "%s: ports", name)
		if isKafka(name) {
			continue
		}
		for _, argument := range service.Command {
			assert.Contains(t, over.Command, argument, "%s: command", name)
		}
	}
}

// The JDK's server asks DNS for the name of whoever connects by TLS, before it answers.
func TestWhatTheJDKServesDoesNotWaitLongForNames(t *testing.T) {
	secured := services(t, securedStack)
	for _, name := range []string{"kafka-1", "kafka-2", "kafka-3", "canary", "receiver"} {
		assert.Equal(t, []string{"timeout:1", "attempts:2"}, secured[name].DNSOpts, "%s: dns_opt", name)
	}
}

func isKafka(name string) bool { return strings.HasPrefix(name, "kafka-") }

// How each service is secured: all of these are in its environment, its command, or what it mounts.
var means = map[string][]string{
	"canary":        {"compose-secured.yml:/etc/phasewise/canary.yml"},
	"prometheus":    {"--web.config.file=/etc/prometheus/secrets/web.yml", "prometheus-secured.yml:/etc/prometheus/prometheus.yml"},
	"alertmanager":  {"--web.config.file=/etc/alertmanager/secrets/web.yml", "alertmanager/receiver.url:/etc/alertmanager/receiver.url"},
	"receiver":      {"--tls", "--user", "--password-file"},
	"node-exporter": {"--web.config.file=/etc/node-exporter/web.yml"},
	"grafana": {
		"GF_SERVER_PROTOCOL=https", "GF_AUTH_ANONYMOUS_ENABLED=false", "GF_SECURITY_ADMIN_PASSWORD__FILE=", "GF_SECURITY_SECRET_KEY__FILE=",
		"PHASEWISE_PROMETHEUS_URL=https://", "provisioning/secured:/etc/grafana/provisioning/datasources",
	},
	"kafka": {
		"7071:/etc/phasewise/secrets/exporter.yml",
		"KAFKA_LISTENER_SECURITY_PROTOCOL_MAP=CONTROLLER:SSL,REPLICATION:SSL,INTERNAL:SASL_SSL,EXTERNAL:SASL_SSL",
		"KAFKA_LISTENER_NAME_CONTROLLER_SSL_CLIENT_AUTH=required", "KAFKA_LISTENER_NAME_REPLICATION_SSL_CLIENT_AUTH=required",
		"KAFKA_SASL_ENABLED_MECHANISMS=SCRAM-SHA-512", "KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND=false", "StandardAuthorizer",
	},
}

func TestEveryServiceIsSecured(t *testing.T) {
	secured := services(t, securedStack)
	for name := range services(t, bareStack) {
		kind := name
		if isKafka(name) {
			kind = "kafka"
		}
		known, has := means[kind]
		assert.True(t, has, "%s: this test does not know how it is secured", name)
		said := everything(secured[name])
		for _, each := range known {
			assert.Contains(t, said, each, name)
		}
		for _, open := range []string{"PLAINTEXT", "http://"} {
			assert.NotContains(t, said, open, name)
		}
	}
}

// everything that decides how a service talks.
func everything(service types.ServiceConfig) string {
	var said []string
	for key, value := range service.Environment {
		if value != nil {
			said = append(said, key+"="+*value)
		}
	}
	said = append(said, service.Command...)
	if service.HealthCheck != nil {
		said = append(said, service.HealthCheck.Test...)
	}
	for _, volume := range service.Volumes {
		said = append(said, volume.Source+":"+volume.Target)
	}
	return strings.Join(said, "\n")
}

func TestEachServiceKnowsItsOwnSecretsOnlyAndCannotChangeThem(t *testing.T) {
	for name, service := range services(t, securedStack) {
		found := false
		for _, volume := range service.Volumes {
			_, inside, is := strings.Cut(volume.Source, internal)
			if !is {
				continue
			}
			found = true
			if owner, _, _ := strings.Cut(inside, "/"); owner != name || !volume.ReadOnly {
				t.Errorf("%s: mounts %s, read only: %v", name, inside, volume.ReadOnly)
			}
		}
		assert.True(t, found, "%s: mounts nothing of .secured", name)
	}
}

func TestTheFileHoldsNoSecret(t *testing.T) {
	for name, service := range services(t, securedStack) {
		for key, value := range service.Environment {
			lower := strings.ToLower(key)
			if (strings.Contains(lower, "password") || strings.Contains(lower, "secret_key")) && !strings.HasSuffix(key, "__FILE") {
				t.Errorf("%s: %s", name, key)
			}
			if value != nil {
				assert.NotContains(t, *value, "password=", "%s: %s", name, key)
			}
		}
	}
	ignored, err := os.ReadFile("../../.gitignore")
	require.NoError(t, err)
	assert.Contains(t, strings.Split(string(ignored), "\n"), ".secured/", "git does not ignore .secured/")
}

func TestTheCanaryWaitsForItsRights(t *testing.T) {
	all := services(t, securedStack)
	assert.Equal(t, types.ServiceConditionCompletedSuccessfully, all["canary"].DependsOn["setup"].Condition, "until when the canary waits")
	for _, broker := range []string{"kafka-1", "kafka-2", "kafka-3"} {
		assert.Equal(t, types.ServiceConditionHealthy, all["setup"].DependsOn[broker].Condition, "until when setup waits for %s", broker)
	}
}
