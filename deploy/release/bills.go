// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// bill is a bill of materials as CycloneDX 1.6 has it, as far as a release reads and writes it.
type bill struct {
	BomFormat   string       `json:"bomFormat"`
	SpecVersion string       `json:"specVersion"`
	Version     int          `json:"version"`
	Metadata    billMetadata `json:"metadata"`
	Components  []component  `json:"components"`
}

type billMetadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string          `json:"type"`
	Group    string          `json:"group,omitempty"`
	Name     string          `json:"name"`
	Version  string          `json:"version,omitempty"`
	Hashes   []hash          `json:"hashes,omitempty"`
	Licenses []licenceChoice `json:"licenses,omitempty"`
	Purl     string          `json:"purl,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licenceChoice struct {
	License *struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	} `json:"license,omitempty"`
	Expression string `json:"expression,omitempty"`
}

func (c component) licences() []string {
	var all []string
	for _, choice := range c.Licenses {
		if choice.License != nil {
			all = append(all, choice.License.ID+choice.License.Name)
		}
		if choice.Expression != "" {
			all = append(all, choice.Expression)
		}
	}
	return all
}

// isApache: one of the licences that may be chosen is Apache-2.0, or it is a part of this project.
func (c component) isApache() bool {
	return c.Group == "io.phasewise" || slices.ContainsFunc(c.licences(), func(each string) bool { return strings.Contains(each, "Apache") })
}

func readBill(text []byte) (bill, error) {
	var read bill
	return read, json.Unmarshal(text, &read)
}

// ofImage is the bill of an image: the packages of Debian, and what is in the jar.
func ofImage(name, version string, packages []debianPackage, jar bill) ([]byte, error) {
	made := bill{
		BomFormat: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: billMetadata{component{Type: "container", Name: "phasewise/" + name, Version: version}},
	}
	for _, each := range packages {
		made.Components = append(made.Components, component{
			Type: "library", Name: each.name, Version: each.version, Hashes: []hash{{"SHA-256", each.sha256}}, Purl: each.purl(),
		})
	}
	made.Components = append(append(made.Components, jar.Metadata.Component), jar.Components...)
	text, err := json.MarshalIndent(made, "", "  ")
	return append(text, '\n'), err
}
