// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Command generate writes the rules, the manifests for the Prometheus operator and the configurations for classic histograms and for TLS, all from settings.yml.
// Run it in this directory: go run .
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Exit codes, as everywhere in this repository.
const (
	exitFailed = 1
	exitUsage  = 2
)

const usage = `Usage: go run . [--help] [DIRECTORY]

Reads settings.yml, links.yml and prometheus.yml in DIRECTORY (default: ..) and writes rules/, operator/, prometheus-classic.yml and prometheus-secured.yml there.
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	directory := ".."
	switch {
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		fmt.Fprint(stdout, usage)
		return 0
	case len(args) == 1 && args[0] != "" && args[0][0] != '-':
		directory = args[0]
	case len(args) > 0:
		fmt.Fprintf(stderr, "generate: unexpected arguments %q; allowed: --help, or one directory\n", args)
		return exitUsage
	}
	s, err := readSettings(filepath.Join(directory, "settings.yml"))
	if err != nil {
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return exitUsage
	}
	if err := write(s, directory); err != nil {
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return exitFailed
	}
	return 0
}

// ruleFiles are all of them; a Prometheus loads those of one form beside the rest.
func ruleFiles(s settings) []ruleFile {
	return slices.Concat(
		[]ruleFile{latency(s, native), latency(s, classic), slo(s)},
		baseline(s), broker(s),
		[]ruleFile{
			written(s, "kafka-suspect.yml", nil),
			written(s, "kafka-canary-alerts.yml", ofCanaryAlerts(s)),
			written(s, "kafka-broker-alerts.yml", names{"delivering": delivering(s)}),
			written(s, "monitoring.yml", nil),
		})
}

// outputs is everything that is generated, by path.
func outputs(s settings, prometheusYml, linksYml string) (map[string][]byte, error) {
	all := map[string][]byte{}
	files := ruleFiles(s)
	for _, f := range files {
		encoded, err := f.encode()
		if err != nil {
			return nil, err
		}
		all[f.path] = encoded
	}
	manifests, err := operatorManifests(files, linksYml)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, manifests)
	configuration, err := classicConfiguration(prometheusYml)
	if err != nil {
		return nil, err
	}
	all["prometheus-classic.yml"] = []byte(configuration)
	configuration, err = securedConfiguration(prometheusYml)
	if err != nil {
		return nil, err
	}
	all["prometheus-secured.yml"] = []byte(configuration)
	return all, nil
}

func write(s settings, directory string) error {
	prometheusYml, err := os.ReadFile(filepath.Join(directory, "prometheus.yml"))
	if err != nil {
		return err
	}
	linksYml, err := os.ReadFile(filepath.Join(directory, "links.yml"))
	if err != nil {
		return err
	}
	all, err := outputs(s, string(prometheusYml), string(linksYml))
	if err != nil {
		return err
	}
	// What is no longer generated must not be loaded.
	for _, old := range []string{"rules", "operator"} {
		if err := os.RemoveAll(filepath.Join(directory, old)); err != nil {
			return err
		}
	}
	for path, content := range all {
		file := filepath.Join(directory, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// classicConfiguration is prometheus.yml as Prometheus 2.42 takes it: without what it does not know, with the classic rules.
func classicConfiguration(prometheusYml string) (string, error) {
	var lines []string
	swapped := false
	for _, line := range strings.Split(prometheusYml, "\n") {
		if strings.Contains(line, "native-only") {
			continue
		}
		if strings.Contains(line, "rules/native/") {
			line = strings.Replace(line, "rules/native/", "rules/classic/", 1)
			swapped = true
		}
		lines = append(lines, line)
	}
	if !swapped {
		return "", fmt.Errorf("prometheus.yml does not load rules/native/")
	}
	header := "# Generated from prometheus.yml by generate/, for Prometheus 2.42 or newer without native histograms: do not edit, run `go run .` there.\n"
	return header + strings.Join(lines, "\n"), nil
}

// secured is what a job or the Alertmanagers need in addition where everything has TLS and asks for a password.
const secured = `scheme: https
tls_config:
  ca_file: secrets/ca.pem
basic_auth:
  username: prometheus
  password_file: secrets/%s`

// passwordFile of a job. The canary's configuration has two passwords in clear: that of its endpoint and that of the exporters. Neither may open anything
// else.
func passwordFile(job string) string {
	switch job {
	case "kafka-canary":
		return "canary-password"
	case "kafka-broker", "kafka-controller":
		return "exporter-password"
	default:
		return "password"
	}
}

// securedConfiguration is prometheus.yml for a stack in which everything has TLS and a password: docker-compose.secured.yml.
func securedConfiguration(prometheusYml string) (string, error) {
	var lines []string
	found := 0
	job := ""
	for _, line := range strings.Split(prometheusYml, "\n") {
		if _, name, has := strings.Cut(line, "- job_name: "); has {
			job = name
		}
		// A job and the Alertmanagers find their targets in files. What is secret is said at the same depth as these.
		if before, _, has := strings.Cut(line, "file_sd_configs:"); has {
			found++
			for _, key := range strings.Split(fmt.Sprintf(secured, passwordFile(job)), "\n") {
				lines = append(lines, before+key)
				before = strings.Replace(before, "-", " ", 1)
			}
			line = before + "file_sd_configs:"
		}
		lines = append(lines, line)
	}
	if found < 2 {
		return "", fmt.Errorf("prometheus.yml has no file_sd_configs of jobs and of Alertmanagers")
	}
	header := "# Generated from prometheus.yml by generate/, for docker-compose.secured.yml: do not edit, run `go run .` there.\n"
	return header + strings.Join(lines, "\n"), nil
}
