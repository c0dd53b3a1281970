// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Command vulnerabilities looks Java components of bills of materials up in a copy of the GitLab advisory database (gemnasium-db), and prints
// what is known of each as a table. It reads files only. See run, which looks Go's programs up as well.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: vulnerabilities DATABASE BILL.cdx.json...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "vulnerabilities:", err)
		os.Exit(1)
	}
}

func run(database string, bills []string) error {
	if _, err := os.Stat(filepath.Join(database, "maven")); err != nil {
		return fmt.Errorf("not a copy of gemnasium-db: %w", err)
	}
	in := map[component][]string{}
	for _, bill := range bills {
		components, err := read(bill)
		if err != nil {
			return err
		}
		for _, each := range components {
			in[each] = append(in[each], strings.TrimSuffix(filepath.Base(bill), ".cdx.json"))
		}
	}
	fmt.Println("| component | version | in | advisories known | of this version |\n|---|---|---|---|---|")
	for _, each := range slices.SortedFunc(maps.Keys(in), func(a, b component) int { return strings.Compare(a.String(), b.String()) }) {
		known, hits, err := lookUp(database, each)
		if err != nil {
			return err
		}
		fmt.Printf("| %s:%s | %s | %s | %d | %s |\n", each.group, each.name, each.version, strings.Join(in[each], ", "), known, said(hits))
	}
	return nil
}

// component is one jar, as a bill names it.
type component struct{ group, name, version string }

func (c component) String() string { return c.group + ":" + c.name + ":" + c.version }

// read gives the Maven components of a bill of materials, each once. The project's own are left out.
func read(bill string) ([]component, error) {
	text, err := os.ReadFile(bill)
	if err != nil {
		return nil, err
	}
	var content struct {
		Components []struct{ Group, Name, Version, Purl string }
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, fmt.Errorf("%s: %w", bill, err)
	}
	components := map[component]bool{}
	for _, each := range content.Components {
		if strings.HasPrefix(each.Purl, "pkg:maven/") && each.Group != "io.phasewise" {
			components[component{each.Group, each.Name, each.Version}] = true
		}
	}
	if len(components) == 0 {
		return nil, fmt.Errorf("%s: no Maven components", bill)
	}
	return slices.Collect(maps.Keys(components)), nil
}

// advisory is one file of the database.
type advisory struct {
	Identifier string `json:"identifier"`
	Title      string `json:"title"`
	Range      string `json:"affected_range"`
	Severity   string `json:"cvss_v3"`
}

// lookUp counts the advisories of a component, and gives those whose range has its version.
func lookUp(database string, of component) (known int, hits []advisory, err error) {
	files, err := filepath.Glob(filepath.Join(database, "maven", of.group, of.name, "*.yml"))
	if err != nil {
		return 0, nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, nil, err
		}
		var read advisory
		if err := yaml.Unmarshal(text, &read); err != nil {
			return 0, nil, fmt.Errorf("%s: %w", file, err)
		}
		affected, err := inRange(of.version, read.Range)
		if err != nil {
			return 0, nil, fmt.Errorf("%s: %w", file, err)
		}
		if affected {
			hits = append(hits, read)
		}
	}
	return len(files), hits, nil
}

func said(hits []advisory) string {
	if len(hits) == 0 {
		return "none"
	}
	var lines []string
	for _, each := range hits {
		lines = append(lines, fmt.Sprintf("%s: %s. %s. Affected: `%s`", each.Identifier, strings.ReplaceAll(strings.TrimSuffix(each.Title, "."), "|", "/"), each.Severity, each.Range))
	}
	return strings.Join(lines, "<br>")
}
