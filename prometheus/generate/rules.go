// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ruleFile is one file under rules/; how it looks as YAML is left to encode.
type ruleFile struct {
	path string
	// source is the file in this directory that makes it.
	source  string
	comment string
	groups  []group
}

type group struct {
	name     string
	comment  string
	interval duration
	rules    []rule
}

// rule records a series or raises an alert.
type rule struct {
	record, alert string
	comment       string
	expr          string
	forTime       duration
	// keepFiring is for how long an alert goes on after its condition is gone; Prometheus 2.42 or newer.
	keepFiring  duration
	labels      map[string]string
	annotations map[string]string
}

func recording(name, expr string) rule { return rule{record: name, expr: expr} }

func (r rule) labelled(name, value string) rule {
	labels := map[string]string{name: value}
	maps.Copy(labels, r.labels)
	r.labels = labels
	return r
}

func (r rule) commented(text string) rule {
	r.comment = text
	return r
}

// generatedFrom is the first line of what is generated. It names the files to edit instead.
func generatedFrom(sources string) string {
	return "Generated from " + sources + ": do not edit. `go run .` in generate/ writes it again.\n"
}

// encode writes the file as Prometheus reads it, with its comments.
func (f ruleFile) encode() ([]byte, error) {
	root := groupsNode(f.groups)
	root.HeadComment = generatedFrom("generate/"+f.source+" and settings.yml") + f.comment
	return encodeNode(root)
}

func groupsNode(groups []group) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, g := range groups {
		node := mapping()
		node.HeadComment = g.comment
		add(node, "name", text(g.name))
		if g.interval != "" {
			add(node, "interval", text(string(g.interval)))
		}
		rules := &yaml.Node{Kind: yaml.SequenceNode}
		for _, r := range g.rules {
			rules.Content = append(rules.Content, r.node())
		}
		add(node, "rules", rules)
		list.Content = append(list.Content, node)
	}
	root := mapping()
	add(root, "groups", list)
	return root
}

func (r rule) node() *yaml.Node {
	node := mapping()
	node.HeadComment = r.comment
	if r.record != "" {
		add(node, "record", text(r.record))
	} else {
		add(node, "alert", text(r.alert))
	}
	add(node, "expr", text(strings.TrimSpace(r.expr)))
	if r.forTime != "" {
		add(node, "for", text(string(r.forTime)))
	}
	if r.keepFiring != "" {
		add(node, "keep_firing_for", text(string(r.keepFiring)))
	}
	if len(r.labels) > 0 {
		add(node, "labels", texts(r.labels))
	}
	if len(r.annotations) > 0 {
		add(node, "annotations", texts(r.annotations))
	}
	return node
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func add(node *yaml.Node, key string, value *yaml.Node) {
	node.Content = append(node.Content, text(key), value)
}

func text(value string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(value)
	return node
}

func texts(values map[string]string) *yaml.Node {
	node := mapping()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		add(node, key, text(values[key]))
	}
	return node
}

func encodeNode(node *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}
