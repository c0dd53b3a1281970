// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// The generator of the rules fills thresholds in as numbers. Here each is a value of the chart. So the generator is run with numbers that nothing else has,
// one for each threshold: its sign. Where a sign stands in the rules, the chart's template has the value.

// firstSign is the sign of the first threshold, in the order of their names.
const firstSign = 7_310_000_001

var someSign = regexp.MustCompile(`\b73100000[0-9]{2}\b`)

// thresholdNames are the thresholds, in the order of their signs.
var thresholdNames []string

func thresholdOf(sign string) string {
	number, _ := strconv.Atoi(sign)
	return thresholdNames[number-firstSign]
}

// rulesWithSigns are the manifests of the native and of the classic rules, with signs in the place of thresholds.
func rulesWithSigns(deploy string) ([][]byte, error) {
	content, err := os.ReadFile(filepath.Join(deploy, "../prometheus/settings.yml"))
	if err != nil {
		return nil, err
	}
	var settings map[string]any
	if err := yaml.Unmarshal(content, &settings); err != nil {
		return nil, err
	}
	thresholds := settings["thresholds"].(map[string]any)
	thresholdNames = nil
	for name := range thresholds {
		thresholdNames = append(thresholdNames, name)
	}
	sort.Strings(thresholdNames)
	for i, name := range thresholdNames {
		thresholds[name] = firstSign + i
	}
	rules, err := generated(deploy, settings)
	for i, name := range thresholdNames {
		for _, file := range rules {
			if !strings.Contains(string(file), strconv.Itoa(firstSign+i)) {
				return nil, fmt.Errorf("the rules do not hold the threshold %s as it is in settings.yml", name)
			}
		}
	}
	return rules, err
}

// generated are the manifests that the generator makes of these settings: native, classic.
func generated(deploy string, settings map[string]any) ([][]byte, error) {
	directory, err := os.MkdirTemp("", "rules-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	encoded, err := yaml.Marshal(settings)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(directory, "settings.yml"), encoded, 0o644); err != nil {
		return nil, err
	}
	for _, name := range []string{"prometheus.yml", "links.yml"} {
		content, err := os.ReadFile(filepath.Join(deploy, "../prometheus", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(directory, name), content, 0o644)
		}
		if err != nil {
			return nil, err
		}
	}
	generator := exec.Command("go", "run", ".", directory)
	generator.Dir = filepath.Join(deploy, "../prometheus/generate")
	if output, err := generator.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("prometheus/generate: %w\n%s", err, output)
	}
	var rules [][]byte
	for _, file := range []string{"operator/prometheusrule-native.yml", "operator/classic/prometheusrule-classic.yml"} {
		content, err := os.ReadFile(filepath.Join(directory, file))
		if err != nil {
			return nil, err
		}
		rules = append(rules, content)
	}
	return rules, nil
}

// someAlert is an alert in a template.
var someAlert = regexp.MustCompile(`\(has "(\w+)" \.Values\.monitoring\.rules\.disabled\)`)

// alertsIn are the names of the alerts in templates, each once.
func alertsIn(templates string) []string {
	seen := map[string]bool{}
	var names []string
	for _, found := range someAlert.FindAllStringSubmatch(templates, -1) {
		if !seen[found[1]] {
			seen[found[1]] = true
			names = append(names, found[1])
		}
	}
	sort.Strings(names)
	return names
}
