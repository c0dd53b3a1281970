// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The rules that can be written down as they are, as Prometheus has them but for the names in them. Those of which there is one for each window,
// phase or percentile are made in Go.
//
//go:embed rules/*.yml
var sources embed.FS

// sourceFile is one of them: groups of rules as Prometheus has them, with the keys of sourceRule.
type sourceFile struct {
	Comment string `yaml:"comment"`
	// Parts are what several rules of the file have in common; a rule has them as <name>.
	Parts  names `yaml:"parts"`
	Groups []struct {
		Name     string       `yaml:"name"`
		Interval duration     `yaml:"interval"`
		Rules    []sourceRule `yaml:"rules"`
	} `yaml:"groups"`
}

// sourceRule is a rule as it is written there. The keys that Prometheus does not have are those of alert, which adds what all alerts have in common.
type sourceRule struct {
	Record string `yaml:"record"`
	Alert  string `yaml:"alert"`
	// Each is a list of the settings. There is one such rule for each of its rows, which has <each.KEY>.
	Each    string `yaml:"each"`
	Comment string `yaml:"comment"`
	// Where are parts of the rule, which has them as <name>.
	Where names `yaml:"where"`
	// Ask are queries of the alert's texts, which have them as (<name>), for the template's function query. $cluster, $profile and $broker are the alert's.
	Ask           names             `yaml:"ask"`
	Expr          string            `yaml:"expr"`
	For           duration          `yaml:"for"`
	KeepFiringFor duration          `yaml:"keep_firing_for"`
	Labels        map[string]string `yaml:"labels"`
	Severity      string            `yaml:"severity"`
	Team          string            `yaml:"team"`
	Summary       string            `yaml:"summary"`
	Figures       string            `yaml:"figures"`
	Next          string            `yaml:"next"`
	Suspects      string            `yaml:"suspects"`
	SuspectsIn    string            `yaml:"suspects_in"`
	Phases        bool              `yaml:"phases"`
	Leader        string            `yaml:"leader"`
	Names         string            `yaml:"names"`
	Window        duration          `yaml:"window"`
}

// readSource panics where a file is wrong: the files are part of this program.
func readSource(file string) sourceFile {
	var read sourceFile
	content, err := sources.ReadFile("rules/" + file)
	if err == nil {
		decoder := yaml.NewDecoder(bytes.NewReader(content))
		decoder.KnownFields(true)
		err = decoder.Decode(&read)
	}
	if err != nil {
		panic(fmt.Sprintf("rules/%s: %v", file, err))
	}
	return read
}

// written is a file of rules with its names filled in: settings by their keys, and what is in more.
func written(s settings, file string, more names) ruleFile {
	read := readSource(file)
	made := ruleFile{path: "rules/" + file, source: "rules/" + file, comment: read.Comment}
	given := s.scope().with(more)
	parts := given.with(read.Parts)
	for _, source := range read.Groups {
		g := group{name: source.Name, interval: duration(parts.fill(string(source.Interval)))}
		for _, r := range source.Rules {
			for _, row := range s.rows(r.Each) {
				g.rules = append(g.rules, r.filled(s, parts.with(row)))
			}
		}
		made.groups = append(made.groups, g)
	}
	parts.mustBeUsed("rules/" + file)
	given.mustBeUsed("rules/" + file)
	return made
}

// filled is the rule with its names filled in.
func (r sourceRule) filled(s settings, known *scope) rule {
	where := known.with(r.Where)
	asks := names{}
	for name, query := range where.with(r.Ask).values {
		var used []variable
		for _, v := range []variable{alertsCluster, alertsProfile, alertsBroker} {
			if strings.Contains(query, "$"+v.name) {
				used = append(used, v)
			}
		}
		asks[name] = asked(query, used...)
	}
	all := &scope{outer: where, values: asks, used: map[string]bool{}}
	fill := func(text string) string { return strings.TrimSuffix(all.fill(text), "\n") }
	labels := map[string]string{}
	for name, value := range r.Labels {
		labels[name] = fill(value)
	}
	var made rule
	if r.Record != "" {
		made = rule{record: fill(r.Record), comment: fill(r.Comment), expr: fill(r.Expr), labels: labels}
	} else {
		made = alert{
			name:       fill(r.Alert),
			comment:    fill(r.Comment),
			severity:   fill(r.Severity),
			team:       r.Team,
			labels:     labels,
			expr:       fill(r.Expr),
			forTime:    duration(fill(string(r.For))),
			keepFiring: duration(fill(string(r.KeepFiringFor))),
			summary:    fill(r.Summary),
			figures:    fill(r.Figures),
			next:       fill(r.Next),
			suspects:   r.Suspects,
			suspectsIn: r.SuspectsIn,
			phases:     r.Phases,
			leader:     r.Leader,
			names:      fill(r.Names),
			window:     duration(fill(string(r.Window))),
		}.rule(s)
	}
	all.mustBeUsed(r.Record + r.Alert)
	where.mustBeUsed(r.Record + r.Alert)
	return made
}
