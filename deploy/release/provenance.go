// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// statement is what in-toto calls one, version 1; its predicate is SLSA's provenance, version 1.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     provenance `json:"predicate"`
}

type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest"`
}

type provenance struct {
	BuildDefinition struct {
		BuildType            string            `json:"buildType"`
		ExternalParameters   map[string]string `json:"externalParameters"`
		InternalParameters   map[string]string `json:"internalParameters"`
		ResolvedDependencies []resource        `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

// provenanceOf says of which commit, with which programs and packages the files were made. It has no time, so that the same release gives the same bytes.
func (r *release) provenanceOf(digests map[string]string, packages []debianPackage) ([]byte, error) {
	made := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	names := make([]string, 0, len(digests))
	for name := range digests {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		made.Subject = append(made.Subject, resource{Name: name, Digest: map[string]string{"sha256": digests[name]}})
	}
	build := &made.Predicate.BuildDefinition
	build.BuildType = home + "/release/v1"
	build.ExternalParameters = map[string]string{"version": r.version, "commit": r.commit, "source": r.source}
	if r.base != "" {
		build.ExternalParameters["base"] = r.baseDigest
	}
	build.InternalParameters = r.programs
	build.ResolvedDependencies = []resource{{URI: "git+" + r.source, Digest: map[string]string{"gitCommit": r.commit}}}
	for _, each := range packages {
		build.ResolvedDependencies = append(build.ResolvedDependencies, resource{URI: each.purl(), Digest: map[string]string{"sha256": each.sha256}})
	}
	// A person's machine: whoever runs the command vouches for it, by the signature. No service does.
	made.Predicate.RunDetails.Builder.ID = home + "/release/by-hand"
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	return append(text, '\n'), nil
}
