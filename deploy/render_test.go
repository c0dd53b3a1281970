// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package deploy has the tests of what is deployed to Kubernetes: it is rendered as kubectl renders it and checked against the types
// and schemas of Kubernetes and of the Prometheus operator. Strimzi's resources are checked by Strimzi's own classes (StrimziExampleTest).
package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	kustomize "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// bases are the directories that users render.
var bases = []string{"canary", "monitoring", "examples/production", "examples/strimzi", "examples/strimzi-new-cluster", "examples/kube-prometheus-stack"}

// object is one rendered manifest.
type object struct {
	kind    string
	name    string
	version string
	// yaml is the manifest as it would be sent.
	yaml []byte
}

func (o object) String() string { return o.kind + " " + o.name }

// render builds a directory under the restrictions that `kubectl apply -k` has: no file from outside a kustomization's own directory.
func render(t *testing.T, directory string) []object {
	t.Helper()
	rendered, err := renderings(directory)
	if err != nil {
		t.Fatalf("%s: %v", directory, err)
	}
	return rendered
}

var (
	renderedLock sync.Mutex
	rendered     = map[string][]object{}
)

// renderings remembers, as most tests look at the same directories.
func renderings(directory string) ([]object, error) {
	renderedLock.Lock()
	defer renderedLock.Unlock()
	if known, ok := rendered[directory]; ok {
		return known, nil
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), directory)
	if err != nil {
		return nil, err
	}
	all, err := objectsOf(resources)
	if err == nil {
		rendered[directory] = all
	}
	return all, err
}

func objectsOf(resources resmap.ResMap) ([]object, error) {
	var all []object
	for _, r := range resources.Resources() {
		content, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		all = append(all, object{kind: r.GetKind(), name: r.GetName(), version: r.GetApiVersion(), yaml: content})
	}
	return all, nil
}

// renderPatched renders a directory as an overlay with one patch does.
func renderPatched(t *testing.T, directory string, patch kustomize.Patch) []object {
	t.Helper()
	encoded, err := yaml.Marshal(map[string]any{"resources": []string{directory}, "patches": []kustomize.Patch{patch}})
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := os.MkdirTemp(".", "overlay-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(overlay) })
	if err := os.WriteFile(filepath.Join(overlay, "kustomization.yaml"), encoded, 0o644); err != nil {
		t.Fatal(err)
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), overlay)
	if err != nil {
		t.Fatal(err)
	}
	all, err := objectsOf(resources)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// one is the only object of its kind and name; the end of a generated name does not count.
func one(t *testing.T, objects []object, kind, name string) object {
	t.Helper()
	var found []object
	for _, o := range objects {
		if o.kind == kind && (o.name == name || strings.HasPrefix(o.name, name+"-") && o.kind == "ConfigMap") {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d objects are %s %s: %v", len(found), kind, name, found)
	}
	return found[0]
}

// as decodes leniently; that nothing is unknown is checked once, in TestEveryFieldIsKnown.
func as[T any](t *testing.T, o object) T {
	t.Helper()
	var decoded T
	if err := yaml.Unmarshal(o.yaml, &decoded); err != nil {
		t.Fatalf("%v: %v", o, err)
	}
	return decoded
}

// plain is a manifest as JSON knows it, for schemas.
func plain(content []byte) (any, error) {
	asJSON, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, err
	}
	var value any
	return value, json.Unmarshal(asJSON, &value)
}
