// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// described fills in what the chart says about its values and has from elsewhere: the thresholds with their defaults, their names and those of the alerts in the
// schema, and the table of all values in the README.
func described(files map[string][]byte, deploy string) error {
	settings, err := os.ReadFile(filepath.Join(deploy, "../prometheus/settings.yml"))
	if err != nil {
		return err
	}
	values, err := withThresholds(string(files["values.yaml"]), string(settings))
	if err != nil {
		return err
	}
	files["values.yaml"] = []byte(values)

	var schema map[string]any
	if err := json.Unmarshal(files["values.schema.json"], &schema); err != nil {
		return fmt.Errorf("values.schema.json: %w", err)
	}
	known := map[string]any{}
	for _, name := range thresholdNames {
		known[name] = map[string]any{"type": "number", "exclusiveMinimum": 0}
	}
	rules := object(schema).at("properties", "monitoring", "properties", "rules", "properties").(map[string]any)
	rules["thresholds"] = map[string]any{"type": "object", "additionalProperties": false, "properties": known}
	rules["disabled"] = map[string]any{"type": "array", "items": map[string]any{"enum": alertsIn(string(files["templates/monitoring.yaml"]))}}
	if files["values.schema.json"], err = json.MarshalIndent(schema, "", "  "); err != nil {
		return err
	}

	rows, err := table(values)
	if err != nil {
		return err
	}
	const here = "<!-- values -->\n"
	if !strings.Contains(string(files["README.md"]), here) {
		return fmt.Errorf("README.md has no line %q", here)
	}
	files["README.md"] = []byte(strings.Replace(string(files["README.md"]), here, rows, 1))
	return nil
}

// withThresholds are the values with the thresholds of the rules' settings, and their comments, in the place of none.
func withThresholds(values, settings string) (string, error) {
	_, thresholds, found := strings.Cut(settings, "\nthresholds:\n")
	empty := regexp.MustCompile(`(?m)^( *)thresholds: \{\}$`)
	if !found || !empty.MatchString(values) {
		return "", fmt.Errorf("settings.yml ends with no thresholds, or values.yaml has no place for them")
	}
	return empty.ReplaceAllStringFunc(values, func(line string) string {
		indent := line[:strings.Index(line, "t")]
		return indent + "thresholds:\n" + indent + strings.ReplaceAll(strings.TrimRight(thresholds, "\n"), "\n", "\n"+indent)
	}), nil
}

// table has a row for each value: its keys, its default, its comment. A structure written in braces is one value.
func table(values string) (string, error) {
	root, err := yaml.Parse(values)
	if err != nil {
		return "", fmt.Errorf("values.yaml: %w", err)
	}
	rows := "| value | default | |\n|---|---|---|\n"
	return rows + rowsOf(root.YNode(), ""), nil
}

const asAbove = "see the row above"

func rowsOf(mapping *yaml.Node, prefix string) string {
	rows := ""
	for i := 0; i < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		name := prefix + key.Value
		comment := strings.TrimSpace(strings.ReplaceAll(regexp.MustCompile(`(?m)^# ?`).ReplaceAllString(key.HeadComment, ""), "\n", " "))
		if value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0 {
			if comment != "" {
				rows += row(name, "", comment)
			}
			rows += rowsOf(value, name+".")
			continue
		}
		if comment == "" {
			comment = asAbove // settings.yml says what two thresholds have in common at the first of them
		}
		var decoded any
		if err := value.Decode(&decoded); err != nil {
			panic(err)
		}
		encoded, err := json.Marshal(decoded)
		if err != nil {
			panic(err)
		}
		rows += row(name, "`"+string(encoded)+"`", comment)
	}
	return rows
}

func row(name, value, comment string) string {
	return fmt.Sprintf("| `%s` | %s | %s |\n", name, strings.ReplaceAll(value, "|", `\|`), strings.ReplaceAll(comment, "|", `\|`))
}
